import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { keptFile } from '../../support/erp/kept-file.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { CHART, ACCOUNTS } from '../../support/erp/sample-chart.js';

const NO_NETWORK = 'files have no network; crashes in the middle of a write have tests of their own';
const NO_DRAFTS = 'files hold no drafts';
const NO_PARTNERS = 'files keep the kennitala on the line and have no partners to create';
const CLOSED_UNTIL = '2025-12-31';
const NO_LOGIN = 'files have no credentials';

export const fileTarget: ConformanceTarget = {
  name: 'file',
  judge: 'files on disk, read behind its back (real)',
  notApplicable: {
    'bad-credentials': NO_LOGIN,
    'expired-token': NO_LOGIN,
    'killed-after-create-resume': NO_DRAFTS,
    'killed-after-create-post': NO_DRAFTS,
    'lost-reply': NO_NETWORK,
    'late-arrival': NO_NETWORK,
    'attachment-lost-reply': NO_NETWORK,
    'attachment-late': NO_NETWORK,
    unreachable: NO_NETWORK,
    'rate-limit': NO_NETWORK,
    'rate-limit-shared': NO_NETWORK,
    'server-error': NO_NETWORK,
    'error-body': NO_NETWORK,
    'html-body': NO_NETWORK,
    'gateway-answers': NO_NETWORK,
    'unknown-dimension': 'files take any dimension',
    'known-party': NO_PARTNERS,
    'new-party-once': NO_PARTNERS,
  },
  open: openBooks,
};

function openBooks(): Promise<ConformanceBed> {
  const directory = temporaryDirectory();
  const books = join(directory, 'books');
  let closedUntil = CLOSED_UNTIL;
  return Promise.resolve({
    chart: CHART,
    connect: (variant = 'normal') => {
      const configuration = fileAdapter.configuration.parse({
        formats: ['journal', 'beancount', 'csv'],
        company: variant === 'wrong-company' ? '5501011230' : '4504013150',
        accounts: ACCOUNTS,
        closedUntil,
      });
      return Promise.resolve(fileAdapter.create(configuration, erpServices({}, directory)));
    },
    // A file stands where the directory of attachments would be.
    provoke: async () => {
      await rm(join(books, 'attachments'), { recursive: true, force: true });
      await writeFile(join(books, 'attachments'), '');
    },
    heal: async () => {
      await rm(join(books, 'attachments'), { recursive: true, force: true });
    },
    count: async (key) => ({ posted: await countInBeancount(books, key), drafts: 0 }),
    texts: (key) => textsInBeancount(books, key),
    attachments: async ({ id }) => {
      const folder = join(books, 'attachments', id);
      const names = await readdir(folder);
      return Promise.all(names.map(async (name) => keptFile(name, await readFile(join(folder, name)))));
    },
    closeOpenDate: (isClosed) => {
      closedUntil = isClosed ? CHART.openDate : CLOSED_UNTIL;
      return Promise.resolve();
    },
    // Files are read line by line and have no pages.
    crowd: () => Promise.resolve(),
    close: () => rm(directory, { recursive: true, force: true }),
  });
}

async function countInBeancount(books: string, key: string): Promise<number> {
  return (await transactionsOf(books, key)).length;
}

async function textsInBeancount(books: string, key: string): Promise<string[]> {
  const transactions = await transactionsOf(books, key);
  return transactions.flatMap((text) =>
    [...text.matchAll(/^ {4}text: "(.*)"$/gm)].map(([, each = '']) => each),
  );
}

/** Read in the format that the adapter only writes and never reads. */
async function transactionsOf(books: string, key: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(books).catch(() => [])) {
    if (!/^\d{4}-\d{2}\.beancount$/.test(name)) continue;
    const transactions = (await readFile(join(books, name), 'utf8')).split('\n\n');
    found.push(...transactions.filter((text) => text.includes(`\n  key: "${key}"\n`)));
  }
  return found;
}
