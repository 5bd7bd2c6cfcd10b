// `ledgerbridge originals expire`: what is older than the law asks to keep leaves the store. It shows, asks, and keeps going where an
// earlier run was stopped; nothing expires by itself.
import type { Command } from 'commander';
import type { Act } from '../operations/act.js';
import type { ExpiryRequest, OriginalsExpiry, TenantExpiry } from '../operations/originals-expiry.js';
import { type CliIo, examples } from './command.js';
import { type ActOptions, actOptions, numberBetween, tenantOption, withOpened } from './operate.js';
import { perform } from './perform.js';
import { progress } from './progress.js';

interface ExpireOptions extends ActOptions {
  readonly tenant?: string;
  readonly years?: number;
  readonly shorterThanTheLaw?: boolean;
  readonly uncertified?: boolean;
}

const YEARS_MAX = 100;

export function addExpire(originals: Command, io: CliIo): void {
  const expire = originals
    .command('expire')
    .description('remove originals from the store that are older than the law asks to keep')
    .addOption(tenantOption())
    .option(
      '--years <number>',
      'kept from the end of their year (default: what the tenant’s file says, else 7)',
      numberBetween(0, YEARS_MAX),
    )
    .option(
      '--shorter-than-the-law',
      'fewer years than the law or the tenant’s file wants; the audit says so',
    )
    .option('--uncertified', 'also those of days that no green certificate covers as they are now');
  actOptions(expire)
    .addHelpText(
      'after',
      examples(
        ['ledgerbridge originals expire --dry-run', 'what would go, and what stays although it is old'],
        ['ledgerbridge originals expire -t hraun -r "yearly" --yes', 'from a timer, once a year'],
      ),
    )
    .action((options: ExpireOptions) => run(io, options));
}

async function run(io: CliIo, options: ExpireOptions): Promise<void> {
  const request: ExpiryRequest = {
    ...{ tenant: options.tenant, years: options.years },
    ...{ shorter: options.shorterThanTheLaw === true, alsoUncertified: options.uncertified === true },
  };
  await withOpened(io, async ({ expiry }) => {
    const previews = await expiry.preview(request);
    const total = previews.reduce((sum, { originals }) => sum + originals, 0);
    const listed = previews.map(shown).join('\n');
    await perform(io, options, (act) => ({
      consequence: `${listed}\nThey are removed from the store for good; what is at entries in the ERP stays there.`,
      question: total > 0 ? 'Remove them?' : undefined,
      would: { value: { would: previews }, text: listed || 'There is no tenant.' },
      carryOut: async () => {
        const done = await removeAll(io, expiry, request, act, total);
        const text =
          total === 0 && done.files === 0
            ? `${listed}\nNothing was removed.`
            : `${String(done.originals)} originals expired; ${String(done.files)} files were removed from the store.`;
        return { value: { ...done, tenants: previews }, text };
      },
    }));
  });
}

async function removeAll(
  io: CliIo,
  expiry: OriginalsExpiry,
  request: ExpiryRequest,
  act: Act,
  total: number,
): Promise<Awaited<ReturnType<OriginalsExpiry['run']>>> {
  const bar = progress(io, 'originals', total);
  let seen = 0;
  const done = await expiry.run(request, act, (originals) => {
    bar.advance(originals - seen);
    seen = originals;
  });
  bar.done();
  return done;
}

const MEGABYTE = 1024 * 1024;

function shown({ tenant, before, years, originals, bytes, unsettled, uncertified }: TenantExpiry): string {
  const stays = [
    ...(uncertified > 0
      ? [
          `${String(uncertified)} stay: no green certificate covers their day as it is now (ledgerbridge close)`,
        ]
      : []),
    ...(unsettled > 0 ? [`${String(unsettled)} stay: they or their documents are not settled`] : []),
  ];
  const size = (bytes / MEGABYTE).toFixed(1);
  return [
    `${tenant}: ${String(originals)} originals from before ${before} (${String(years)} years), ${size} MB`,
    ...stays.map((line) => `  ${line}`),
  ].join('\n');
}
