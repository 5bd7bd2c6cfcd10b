// The options of a command, made from declared fields (operations/fields.ts), and what was typed for them.
import { type Command, Option } from 'commander';
import { type Field, type Fields, type InputOf, readText } from '../operations/fields.js';
import { calendarDay, numberBetween, oneOf, someOf } from './operate.js';

/** ' <entry>': the arguments that come after those of the command itself. */
export function argumentsOf(fields: Fields): string {
  const written = Object.values(fields).filter(isArgument);
  return written.map(({ cli }) => ` ${cli ?? ''}`).join('');
}

export function addFields(
  command: Command,
  fields: Fields,
  defaults: Readonly<Record<string, unknown>> = {},
): Command {
  for (const [name, field] of Object.entries(fields))
    if (field.cli !== null && !isArgument(field))
      command.addOption(new Option(field.cli, field.help).default(defaults[name]));
  return command;
}

/** `typed`: the arguments that the fields declare, in their order. */
export function readFields<F extends Fields>(
  fields: F,
  typed: readonly (string | undefined)[],
  options: Readonly<Record<string, unknown>>,
): InputOf<F> {
  const rest = [...typed];
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.cli === null) continue;
    const value = isArgument(field) ? rest.shift() : options[new Option(field.cli).attributeName()];
    if (value === true) input[name] = field.given;
    else if (typeof value === 'string') input[name] = valueOf(field, value);
    else if (value !== undefined) input[name] = value;
  }
  return input as InputOf<F>;
}

function valueOf(field: Field, typed: string): unknown {
  const { kind, range, values, cli } = field;
  const noun = /[<[]([\w ]+)/.exec(cli ?? '')?.[1] ?? '';
  switch (kind) {
    case 'day':
      return calendarDay(typed);
    case 'whole':
      return numberBetween(...range)(typed);
    case 'choice':
      return oneOf(values, typed, noun);
    case 'choices':
      return someOf(values, typed, noun.replace(/s$/, ''));
    case 'currency':
      return typed.toUpperCase();
    case 'amount':
      return readText(field, typed);
    case 'text':
    case 'flag':
      return typed;
  }
}

function isArgument({ cli }: Field): boolean {
  return cli !== null && !cli.startsWith('-');
}
