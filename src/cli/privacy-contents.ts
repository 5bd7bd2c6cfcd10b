// What `privacy erase` and `privacy prune` share: contents of documents that are old enough, of one person or of everybody.
import type { Command } from 'commander';
import type { Act } from '../operations/act.js';
import type {
  AddressesByAge,
  ContentsDone,
  ContentsRequest,
  Privacy,
  TenantContents,
} from '../operations/privacy/privacy.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { type ActOptions, numberBetween, withOpened } from './operate.js';
import { perform } from './perform.js';
import { progress } from './progress.js';

export interface ContentsOptions extends ActOptions {
  readonly tenant?: string;
  readonly years?: number;
  readonly shorterThanTheLaw?: boolean;
  readonly uncertified?: boolean;
}

interface Wanted {
  readonly kennitala?: string | undefined;
  /** Addresses and sessions that are older go as well. */
  readonly addressDays?: number | undefined;
}

const YEARS_MAX = 100;

export function contentsOptions(command: Command): Command {
  return command
    .option(
      '--years <number>',
      'kept from the end of their year (default: `originals.retentionYears` of the tenant’s file, else 7)',
      numberBetween(0, YEARS_MAX),
    )
    .option(
      '--shorter-than-the-law',
      'fewer years than the law or the tenant’s file wants; the audit says so',
    )
    .option('--uncertified', 'also documents of days that no green certificate covers as they are now');
}

export async function performContents(
  io: CliIo,
  options: ContentsOptions,
  { kennitala, addressDays }: Wanted,
): Promise<void> {
  const request: ContentsRequest = {
    ...{ tenant: options.tenant, years: options.years, kennitala },
    ...{ shorter: options.shorterThanTheLaw === true, alsoUncertified: options.uncertified === true },
  };
  await withOpened(io, async ({ privacy }) => {
    const previews = await privacy.previewContents(request);
    const total = previews.reduce((sum, { documents }) => sum + documents, 0);
    const addresses = addressDays === undefined ? null : await privacy.previewAddresses(addressDays);
    const old = addresses === null ? 0 : addresses.addresses + addresses.sessions + addresses.tries;
    const listed = [...previews.map(shown), ...(addresses === null ? [] : [addressText(addresses)])].join(
      '\n',
    );
    await perform(io, options, (act) => ({
      consequence: `${listed}\nNames, contents and originals of these documents are removed for good. Keys, states, amounts and accounts stay; so does what is in the ERP.`,
      question: total + old > 0 ? 'Remove them?' : undefined,
      would: { value: { would: previews, addresses }, text: listed },
      carryOut: async () => {
        const done = await removeAll(io, privacy, request, act, total);
        const gone = addressDays === undefined ? null : await privacy.removeAddresses(addressDays, act);
        const exitCode = done.finished ? undefined : EXIT.failed;
        return {
          value: { ...done, addresses: gone, tenants: previews },
          text: [doneText(listed, done), ...(gone === null ? [] : [`Removed ${addressText(gone)}.`])].join(
            '\n',
          ),
          exitCode,
        };
      },
    }));
  });
}

async function removeAll(
  io: CliIo,
  privacy: Privacy,
  request: ContentsRequest,
  act: Act,
  total: number,
): Promise<ContentsDone> {
  const bar = progress(io, 'documents', total);
  let seen = 0;
  const onProgress = (documents: number) => {
    bar.advance(documents - seen);
    seen = documents;
  };
  const done = await privacy.removeContents(request, act, { signal: io.signal, onProgress });
  bar.done();
  return done;
}

function doneText(
  listed: string,
  { documents, requests, originals, incidents, files, finished }: ContentsDone,
): string {
  if (documents === 0 && files === 0 && finished) return `${listed}\nNothing was removed.`;
  const parts = [
    `${String(requests)} requests`,
    `${String(originals)} originals (${String(files)} files)`,
    `${String(incidents)} incidents`,
  ];
  const said = `Names and contents of ${String(documents)} documents were removed: ${parts.join(', ')}.`;
  return finished ? said : `${said}\nIt was stopped. Run it again: it goes on where it stopped.`;
}

function addressText({ before, addresses, sessions, tries }: AddressesByAge): string {
  const counts = [`${String(addresses)} addresses`, `${String(sessions)} sessions`, `${String(tries)} tries`];
  return `of sign-ins before ${before}: ${counts.join(', ')}`;
}

function shown(preview: TenantContents): string {
  const { tenant, before, years, documents, requests, originals, incidents } = preview;
  const stays = [
    [preview.withinPeriod, `the law asks to keep them: they are not from before ${before}`],
    [preview.unsettled, 'they, what follows them or their originals are not finished'],
    [preview.uncertified, 'no green certificate covers their day as it is now (ledgerbridge close)'],
  ] as const;
  return [
    `${tenant}: ${String(documents)} documents from before ${before} (${String(years)} years)`,
    `  with ${String(requests)} requests, ${String(originals)} originals and ${String(incidents)} incidents`,
    ...stays.flatMap(([count, why]) => (count > 0 ? [`  ${String(count)} stay: ${why}`] : [])),
  ].join('\n');
}
