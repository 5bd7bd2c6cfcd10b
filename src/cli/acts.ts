// `ledgerbridge hold`, `skip`, `reverse` and the other acts on documents: each command is made from its declaration (operations/acts.ts).
import { type Action, ACTIONS, type ActDeclaration, type ActInput, actNamed } from '../operations/acts.js';
import type { Operations } from '../operations/operations.js';
import type { ActResult, MarkResult, ReverseResult } from '../operations/views/act.js';
import { type CliIo, examples, type RegisterCommand } from './command.js';
import { EXIT } from './exit-codes.js';
import { addFields, argumentsOf, readFields } from './fields.js';
import {
  type ActOptions,
  actOptions,
  identifyAll,
  sayWhoWorks,
  tenantOption,
  withOperations,
} from './operate.js';
import { perform } from './perform.js';
import { documents, money } from './table.js';

type Options = ActOptions & { readonly tenant?: string };

export const registerActs: RegisterCommand = (program, io) => {
  for (const name of ACTIONS) {
    const act = actNamed(name);
    const { texts, input, ofSelection } = act;
    if (ofSelection) continue;
    const command = program
      .command(`${name} ${takesSeveral(act) ? '<documents...>' : '<document>'}${argumentsOf(input)}`)
      .description(texts.summary)
      .addOption(tenantOption());
    const afterwards = texts.afterwards === undefined ? '' : `\n\n${texts.afterwards}`;
    actOptions(addFields(command, input))
      .addHelpText('after', examples(texts.example) + afterwards)
      .action((named: string | string[], ...rest: unknown[]) => {
        const options = command.opts<Options>();
        const typed = rest.filter((one): one is string => typeof one === 'string');
        return run(io, name, [named].flat(), options, readFields(input, typed, { ...options }));
      });
  }
};

function takesSeveral({ atOnce, oneByOne }: ActDeclaration): boolean {
  return atOnce > 1 || oneByOne === true;
}

async function run(
  io: CliIo,
  name: Action,
  named: readonly string[],
  options: Options,
  input: ActInput<Action>,
): Promise<void> {
  const act = actNamed(name);
  const { consequence, question } = act.texts;
  await withOperations(io, async (operations) => {
    const ids = await identifyAll(operations, named, options.tenant);
    const typed = new Map(ids.map((id, index) => [id, named[index] ?? id]));
    const { would, done } = ANSWERS[name] ?? listAnswers(typed);
    const performed = await perform(io, options, async (by) => {
      const isShownFirst = act.looksFirst === true || options.dryRun === true;
      const preview = isShownFirst ? await operations.previewAct(name, ids, input, by) : null;
      const shown = preview === null ? null : would(preview, input, ids);
      return {
        consequence: act.looksFirst && shown ? shown.text : `${documents(ids.length)} ${consequence}.`,
        question,
        would: shown ?? { value: null, text: '' },
        carryOut: async () => done(await carryOut(operations, name, ids, input, by), input, ids),
      };
    });
    if (performed && act.isFinal?.(input) !== true) await sayWhoWorks(io, operations);
  });
}

async function carryOut(
  operations: Operations,
  name: Action,
  ids: readonly string[],
  input: ActInput<Action>,
  by: Parameters<Operations['act']>[3],
): Promise<unknown> {
  if (!actNamed(name).oneByOne) return operations.act(name, ids, input, by);
  const result: ActResult = { done: [], refused: [] };
  for (const id of ids) {
    try {
      await operations.act(name, [id], input, by);
      result.done.push(id);
    } catch (error) {
      result.refused.push({ postingId: id, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
}

interface Answer {
  /** For --json. */
  readonly value: unknown;
  readonly text: string;
  readonly exitCode?: number | undefined;
}

interface Answers {
  readonly would: (preview: unknown, input: ActInput<Action>, ids: readonly string[]) => Answer;
  readonly done: (result: unknown, input: ActInput<Action>, ids: readonly string[]) => Answer;
}

/** A refusal names the document as it was typed. */
function listAnswers(typed: ReadonlyMap<string, string>): Answers {
  const text = (opening: string, { done, refused }: ActResult) =>
    [
      `${opening}: ${documents(done.length)}.`,
      ...refused.map(({ postingId, why }) => `  ${typed.get(postingId) ?? postingId}: ${why}`),
    ].join('\n');
  return {
    would: (preview) => ({ value: preview, text: text('Possible', preview as ActResult) }),
    done: (value) => {
      const result = value as ActResult;
      const exitCode = result.refused.length > 0 ? EXIT.failed : undefined;
      return { value, text: text('Done', result), exitCode };
    },
  };
}

/** Of acts whose result is not a list of documents. */
const ANSWERS: Partial<Readonly<Record<Action, Answers>>> = {
  'mark-posted': {
    would: (value) => {
      const { entry, differences } = value as MarkResult;
      const differs = differences.map((one) => `\n  differs: ${one}`).join('');
      const text = `Entry ${entry.number} of ${entry.postingDate}, ${money(entry.totalIsk, 'ISK')}, is this document.${differs}\nThe source will be told Posted, which is final.`;
      return { value, text };
    },
    done: (value) => ({ value, text: `Marked: entry ${(value as MarkResult).entry.number}.` }),
  },
  reverse: {
    would: (value, { repost }: ActInput<'reverse'>) => {
      const { entries, date } = value as ReverseResult;
      const parts = entries.map(({ part, original }) => `${original} (${part})`).join(', ');
      const then = repost
        ? ' Then the document is posted again under its next key.'
        : ' The source keeps saying what it says.';
      return { value, text: `A reversing entry dated ${date} is booked for ${parts}.${then}` };
    },
    done: (value) => {
      const { entries } = value as ReverseResult;
      const lines = entries.map(({ original, reversal }) => `${original} was reversed by ${reversal ?? ''}.`);
      return { value, text: lines.join('\n') };
    },
  },
  repost: {
    would: (_preview, _input, [id]) => ({
      value: { would: id },
      text: 'The document is read, mapped and posted again under its next key.',
    }),
    done: (_result, _input, [id]) => ({ value: { reposted: id }, text: 'It is on its way.' }),
  },
};
