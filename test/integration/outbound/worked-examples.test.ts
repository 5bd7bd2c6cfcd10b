// docs/how-to/outbound.md and outbound-records.md have one worked example for each pattern. Their settings and files are taken from the
// pages, word for word but for days that pass, and carried into a sandbox.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { taskSource } from '../../../src/bridge/carry-outgoing.js';
import { Secret } from '../../../src/domain/secret.js';
import { readDelivery } from '../../../src/origins/inbox.js';
import type { OriginServices } from '../../../src/origins/origin-services.js';
import type { OriginSettings } from '../../../src/origins/origin-settings.js';
import { createOrigin } from '../../../src/origins/registry.js';
import { tenantOutgoing } from '../../../src/tenants/outgoing-schema.js';
import type { TestDatabase } from '../../support/database.js';
import { KENNITALA, outgoingBed, testDatabase, TODAY } from '../../support/outbound-bed.js';

const page = ['outbound.md', 'outbound-records.md']
  .map((name) => readFileSync(new URL(`../../../docs/how-to/${name}`, import.meta.url), 'utf8'))
  .join('\n');
const blocks = [...page.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, type = '', text = '']) => ({
  type,
  text,
}));

const settings = blocks
  .filter(({ type, text }) => type === 'yaml' && text.startsWith('outgoing:'))
  .map(({ text }) => (parse(text) as { outgoing: Record<string, unknown> }).outgoing);

/** What `cat` shows on the page, but for what the bridge has written. */
const files = new Map(
  blocks
    .flatMap(({ text }) => [...text.matchAll(/^\$ cat (\S+)\n((?:(?!\$ ).*\n)*)/gm)])
    .filter(([, path = '']) => !path.includes('results/'))
    .map(([, path = '', text = '']) => [path, lately(text)]),
);

function lately(text: string): string {
  return text
    .replaceAll('2026-11-16', TODAY)
    .replaceAll('2026-12', '2030-12')
    .replaceAll('2027-11', '2031-11');
}

test('the settings of the page are ones', () => {
  expect(settings.length).toBeGreaterThan(6);
  const origins = [{ name: 'a', type: 'folder', directory: 'a' }];
  for (const given of settings) {
    const read = tenantOutgoing.safeParse({ origins, ...given });
    expect(read.error?.issues ?? [], JSON.stringify(given)).toEqual([]);
  }
});

describe('carried into the service', () => {
  let database: TestDatabase;
  let bed: Awaited<ReturnType<typeof outgoingBed>>;
  let looks = 0;

  /** As the page has it under this name. */
  const named = (name: string): OriginSettings => {
    const all = settings.flatMap((given) => tenantOutgoing.safeParse(given).data?.origins ?? []);
    const found = all.find((origin) => origin.name === name);
    return found ?? expect.fail(`the page has no origin "${name}"`);
  };

  const services = (): OriginServices => ({
    tenantName: bed.name,
    // Files are to stand for ten seconds: at each look ten more have passed.
    clock: { now: () => new Date(Date.now() + ++looks * 10_000) },
    configDirectory: join(bed.directory, 'config'),
    secret: () => new Secret('none'),
    tasks: taskSource(bed.tenant().target),
    inbox: () => {
      const body = /send order-1001 '(\{.*\})'/.exec(page)?.[1] ?? '';
      const record = readDelivery('order-2001', Buffer.from(lately(body).replace('SO-1001', 'SO-2001')));
      if ('problem' in record) throw new Error(record.problem);
      return {
        after: (from) => Promise.resolve(from === null ? [{ id: '1', ...record }] : []),
        newest: () => Promise.resolve(record),
        file: (_key, sha256) =>
          Promise.resolve(record.files?.find((one) => one.sha256 === sha256)?.content ?? null),
      };
    },
    erp: () => expect.fail('no ERP is asked'),
  });
  const use = async (...names: string[]) => {
    for (const name of names) bed.bill(await createOrigin(named(name), services()));
  };

  beforeAll(async () => {
    database = await testDatabase();
    bed = await outgoingBed({ database, wish: { costAi: false } });
    await use('orders', 'receipts', 'timesheet', 'shop');
    for (const [path, text] of [
      ...files,
      ['receipts/prentun.pdf', '%PDF-1.4\nkvittun'] as const,
      ['orders/skilmalar.pdf', '%PDF-1.4\nskilmálar'] as const,
    ]) {
      await mkdir(dirname(join(bed.directory, path)), { recursive: true });
      await writeFile(join(bed.directory, path), text);
    }
    // Files are seen at the first look, and read at the second.
    for (let look = 0; look < 3; look++) await bed.round();
    await bed.settle();
    await use('billing');
    await bed.settle();
  }, 60_000);
  afterAll(async () => {
    await bed.close();
    await database.close();
  });

  const EXAMPLES = [
    ['customers', 'customer', KENNITALA],
    ['items', 'item', 'A-100'],
    ['invoices', 'invoice', 'SO-1001'],
    ['orders', 'order', 'P-7'],
    ['drafts', 'draft', 'D-8'],
    ['over HTTP', 'invoice', 'SO-2001'],
    ['files, from the folder', 'invoice', 'SO-1002'],
    ['time: the task', 'task', 'T-1'],
    ['time: its hours', 'hours', 'H-1'],
    ['time: what is billed', 'draft', `hours 2026-10 ${KENNITALA}`],
    ['subscriptions', 'subscription', 'S-1'],
  ] as const;
  /** There is one of it, and it left once; on a machine that is busy an intent may have been too old to leave. */
  const carriedOnce = async (which: { readonly kind: string; readonly reference?: string }) => {
    const where = { tenantName: bed.name, ...which };
    const rows = await bed.prisma.submission.findMany({ where, include: { attempts: true } });
    expect(rows).toMatchObject([{ state: 'acknowledged' }]);
    const { guid, number, attempts } = rows[0]!;
    expect(guid ?? number, 'nothing stands at the service').not.toBeNull();
    expect(attempts.filter(({ outcome }) => outcome !== 'not-sent')).toHaveLength(1);
  };

  test.each(EXAMPLES)('%s', async (_pattern, kind, reference) => {
    await carriedOnce({ kind, reference });
  });

  test('receipts, with what is known of them', async () => {
    await carriedOnce({ kind: 'cost' });
    expect(await bed.results('prentun.pdf', 'receipts')).toMatchObject([{ kind: 'cost', state: 'created' }]);
  });

  test('files that a record names stand there with it', async () => {
    const { guid } = await bed.row('SO-1002');
    const [id, ...others] = bed.sandbox.control.invoice('hraun', guid ?? '').files;
    const answer = await fetch(`${bed.sandbox.url}/files/hraun/${id ?? ''}`);
    expect([await answer.text(), others]).toEqual(['%PDF-1.4\nskilmálar', []]);
  });

  test('each stands there once, no rule of the service was broken, and the files say what became of them', async () => {
    expect(await bed.customers(KENNITALA)).toMatchObject([{ fields: { city: 'Reykjavík' } }]);
    expect(await bed.atService('SO-1001')).toHaveLength(1);
    expect(await bed.atService('SO-2001')).toHaveLength(1);
    expect(bed.sandbox.control.brokenRules()).toEqual([]);
    expect(await bed.results('monday.csv')).toMatchObject([{ reference: 'SO-1001', state: 'created' }]);
  });
});

test('a quote, over the surface that can make one', async () => {
  const database = await testDatabase();
  const bed = await outgoingBed({ database, surface: 'agent' });
  try {
    const text = files.get('quotes/wednesday.jsonl') ?? expect.fail('the page has no quote');
    await bed.put('wednesday.jsonl', [JSON.parse(text) as object]);
    await bed.settle();
    await bed.settle();
    expect(await bed.row('T-9')).toMatchObject({ kind: 'quote', state: 'acknowledged', sends: 1 });
    expect((await bed.row('T-9')).guid).not.toBeNull();
    expect(bed.sandbox.control.journal({ endpoint: 'POST /quotes' })).toHaveLength(1);
    expect(bed.sandbox.control.brokenRules()).toEqual([]);
  } finally {
    await bed.close();
    await database.close();
  }
});
