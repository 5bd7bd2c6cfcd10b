// The options of a command, made from declared fields (operations/fields.ts), and what was typed for them.
import { type Command, Option } from 'commander';
import type { Field, Fields, InputOf } from '../operations/fields.js';
import { calendarDay, numberBetween } from './operate.js';

/** ' <entry>': the arguments that come after those of the command itself. */
export function argumentsOf(fields: Fields): string {
  const written = Object.values(fields).filter(isArgument);
  return written.map(({ cli }) => ` ${cli ?? ''}`).join('');
}

export function addFields(command: Command, fields: Fields): Command {
  for (const field of Object.values(fields))
    if (field.cli !== null && !isArgument(field)) command.addOption(new Option(field.cli, field.help));
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
  }
  return input as InputOf<F>;
}

function valueOf({ kind, range }: Field, typed: string): unknown {
  switch (kind) {
    case 'day':
      return calendarDay(typed);
    case 'whole':
      return numberBetween(...range)(typed);
    case 'text':
    case 'flag':
      return typed;
  }
}

function isArgument({ cli }: Field): boolean {
  return cli !== null && !cli.startsWith('-');
}
