// `ledgerbridge mark-posted`, `reverse` and `repost`: acts about entries in the ERP.
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { money } from './table.js';
import { type ActOptions, actOptions, sayWhoWorks, tenantOption, withOperations } from './operate.js';
import { perform } from './perform.js';

interface BooksOptions extends ActOptions {
  readonly tenant?: string;
  readonly acceptDifferences?: boolean;
  readonly date?: string;
  readonly repost?: boolean;
  readonly surelyAbsent?: boolean;
}

export const registerBooks: RegisterCommand = (program, io) => {
  const mark = program
    .command('mark-posted <document> <entry>')
    .description(
      'say which entry of the ERP a document is; the entry is read and compared before it is believed',
    )
    .addOption(tenantOption())
    .option(
      '--accept-differences',
      'it was booked by hand on other accounts, and the total agrees; or in krónur that cannot be compared with a foreign total',
    );
  actOptions(mark)
    .addHelpText(
      'after',
      examples([
        'ledgerbridge mark-posted 2024-1187 J-000231 -r "booked by hand"',
        'then the source is told Posted',
      ]),
    )
    .action((document: string, entry: string, options: BooksOptions) =>
      markPosted(io, document, entry, options),
    );
  const reverse = program
    .command('reverse <document>')
    .description('undo the entry of a document by another one, under a key of its own')
    .addOption(tenantOption())
    .option('--date <day>', 'day of the reversing entry (default: the day of the entry)')
    .option('--repost', 'then post the document again as it is now')
    .option(
      '--surely-absent',
      'you looked in the ERP: a settlement or reversal that may have been sent is not there',
    );
  actOptions(reverse)
    .addHelpText(
      'after',
      examples([
        'ledgerbridge reverse 2024-1187 --repost -r "edited after posting"',
        'the books follow the edit',
      ]),
    )
    .action((document: string, options: BooksOptions) => reverseEntry(io, document, options));
  const repost = program
    .command('repost <document>')
    .description('post a document again whose entry was reversed')
    .addOption(tenantOption());
  actOptions(repost)
    .addHelpText(
      'after',
      examples(['ledgerbridge repost 2024-1187 -r "it belongs in the books"', 'under its next key']),
    )
    .action((document: string, options: BooksOptions) =>
      withOperations(io, async (operations) => {
        const id = await operations.identify(document, options.tenant);
        const consequence = 'The document is read, mapped and posted again under its next key.';
        const performed = await perform(io, options, (act) => ({
          consequence,
          question: 'Post it again?',
          would: { value: { would: id }, text: consequence },
          carryOut: async () => {
            await operations.repost(id, act);
            return { value: { reposted: id }, text: 'It is on its way.' };
          },
        }));
        if (performed) await sayWhoWorks(io, operations);
      }),
    );
};

async function markPosted(io: CliIo, document: string, entry: string, options: BooksOptions): Promise<void> {
  await withOperations(io, async (operations) => {
    const id = await operations.identify(document, options.tenant);
    const { acceptDifferences } = options;
    const performed = await perform(io, options, async (act) => {
      const dry = await operations.markPosted(id, entry, act, { acceptDifferences, dryRun: true });
      const differences = dry.differences.map((one) => `\n  differs: ${one}`).join('');
      const consequence = `Entry ${dry.entry.number} of ${dry.entry.postingDate}, ${money(dry.entry.totalIsk, 'ISK')}, is this document.${differences}\nThe source will be told Posted, which is final.`;
      return {
        consequence,
        question: 'Mark it?',
        would: { value: dry, text: consequence },
        carryOut: async () => {
          const marked = await operations.markPosted(id, entry, act, { acceptDifferences });
          return { value: marked, text: `Marked: entry ${marked.entry.number}.` };
        },
      };
    });
    if (performed) await sayWhoWorks(io, operations);
  });
}

async function reverseEntry(io: CliIo, document: string, options: BooksOptions): Promise<void> {
  await withOperations(io, async (operations) => {
    const id = await operations.identify(document, options.tenant);
    const { date, repost, surelyAbsent } = options;
    const performed = await perform(io, options, async (act) => {
      const dry = await operations.reverse(id, act, { date, repost, surelyAbsent, dryRun: true });
      const entries = dry.entries.map(({ part, original }) => `${original} (${part})`).join(', ');
      const consequence = `A reversing entry dated ${dry.date} is booked for ${entries}.${repost ? ' Then the document is posted again under its next key.' : ' The source keeps saying what it says.'}`;
      return {
        consequence,
        question: 'Reverse it?',
        would: { value: dry, text: consequence },
        carryOut: async () => {
          const done = await operations.reverse(id, act, { date, repost, surelyAbsent });
          const lines = done.entries.map(
            ({ original, reversal }) => `${original} was reversed by ${reversal ?? ''}.`,
          );
          return { value: done, text: lines.join('\n') };
        },
      };
    });
    if (performed && repost) await sayWhoWorks(io, operations);
  });
}
