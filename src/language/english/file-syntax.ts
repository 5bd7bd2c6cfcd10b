// Why a file of settings cannot be read, each with what would be right.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export const FILE_SYNTAX = {
  FILE_UNREADABLE: ({ reason }: { reason: string }) => `The file cannot be read (${reason}).`,
  SETTINGS_NO_FILE: () =>
    'It is no file: a pipe, a device, or a link to a file elsewhere that not everybody may read.',
  PUT_FILE_THERE: () => 'Put the file itself there, or let a link lead to a file in the same directory.',
  CHECK_THE_FILE: () => 'Check that it exists and its permissions.',
  FILE_REFUSED: ({ problems }: { problems: readonly Message[] }, say: Say) => problems.map(say).join(' '),
  SETTINGS_TOO_LARGE: ({ kibibytes }: { kibibytes: number }) => `The file is larger than ${kibibytes} KiB.`,
  MOVE_SHARED_RULES: () => 'Move shared rules into a file of their own and name it under rules.extends.',
  FILE_NO_UTF8: () => 'The file is not UTF-8 text.',
  SAVE_AS_UTF8: () => 'Save it again with the encoding UTF-8.',
  SETTINGS_EMPTY: () => 'The file is empty.',
  WRITE_A_STARTER: () => 'Write a starter with `ledgerbridge tenant init <name>`.',
  TENANT_FILE_NO_GROUP: () => 'A tenant file must be a group of keys.',
  BEGIN_WITH_NAME: () =>
    'Begin with name:, title: and source:; `ledgerbridge tenant init <name>` writes a starter.',
  RULES_FILE_NO_GROUP: () => 'A rules file must be a group of keys.',
  BEGIN_WITH_RULES: () => 'Begin with keys such as accounts: or cost:.',

  SECRET_OF_THE_BRIDGE: ({ reference }: { reference: string }) =>
    `${reference} is a secret of the bridge itself. Give the tenant a secret of its own.`,
  SECRET_UNNAMED: () => 'A secret must be named as env:NAME or file:path.',
  SECRET_NOT_SET: ({ reference }: { reference: string }) =>
    `The secret ${reference} is not set in the environment.`,
  SECRET_NO_FILE: ({ reference }: { reference: string }) => `The secret ${reference} is not a file.`,
  SECRET_TOO_LARGE: ({ reference }: { reference: string }) => `The file of ${reference} is too large.`,
  SECRET_UNREADABLE: ({ reference, reason }: { reference: string; reason: string }) =>
    `The secret ${reference} cannot be read (${reason}).`,
  SECRET_EMPTY: ({ reference }: { reference: string }) => `The file of ${reference} is empty.`,

  TAB_INDENT: () => 'The line is indented with a tab.',
  INDENT_WITH_SPACES: () => 'Indent with spaces, two a level.',
  BAD_INDENT: () => 'The indentation does not fit the lines above.',
  LINE_KEYS_UP: () => 'Line the keys of one level up under each other, two spaces a level.',
  MANY_DOCUMENTS: () => 'The file holds more than one document (a line `---` in the middle).',
  ONE_TENANT_A_FILE: () => 'Keep one tenant per file.',
  VALUE_RUNS_ON: () => 'A value runs on where a new key begins.',
  A_LINE_EACH: () => 'Put each `key: value` on a line of its own, and text that holds ": " in quotes.',
  KEY_RUNS_ON: () => 'A key runs over several lines, or a ":" is missing.',
  ON_ONE_LINE: () => 'Write `key: value` on one line.',
  BAD_FIRST_SIGN: () => 'The value begins with a character that YAML keeps for itself.',
  PUT_VALUE_IN_QUOTES: () => 'Put the value in quotes.',
  YAML_TAG: () => 'The value carries a YAML tag (!…) that means nothing here.',
  REMOVE_THE_TAG: () => 'Remove the tag, or put the value in quotes.',
  KEY_TWICE: ({ key }: { key: string }) => `The key "${key}" stands here twice.`,
  KEEP_ONE_KEY: () => 'Keep one of the two.',
  QUOTE_NOT_CLOSED: () => 'A quoted text is never closed.',
  ADD_THE_QUOTE: () => 'Add the missing quote.',
  BRACKET_NOT_CLOSED: () => 'A bracket is never closed, or a comma is missing.',
  CLOSE_THE_BRACKET: () => 'Close the bracket, or write one item per line with "- ".',
  STAR_FIRST: () => 'The value begins with a star, which YAML takes for an alias.',
  QUOTE_THE_STAR: () => "Put it in quotes, for example cron: '*/5 * * * *'.",
  NO_YAML: () => 'This is not valid YAML.',
  LOOK_FOR_A_SIGN: () => 'Look for a missing colon, quote or bracket on this line or the one above.',
  ALIASES_MULTIPLY: () => 'The aliases in this file multiply it beyond reason.',
  WRITE_VALUES_OUT: () => 'Write the values out.',
  NESTED_TOO_DEEP: ({ levels }: { levels: number }) => `The file is nested deeper than ${levels} levels.`,
  FLATTEN_IT: () => 'Flatten it; no setting stands that deep.',
  ALIAS_UNKNOWN: ({ alias }: { alias: string }) =>
    `The alias *${alias} points to an anchor that does not exist.`,
  QUOTE_IF_STAR_MEANT: () => 'Put the text in quotes if a star was meant.',
  KEY_NO_TEXT: () => 'A key must be plain text.',
  KEY_NOT_ALLOWED: ({ key }: { key: string }) => `The key "${key}" is not allowed.`,
  REMOVE_OR_WRITE_PLAIN: () => 'Remove it or write it as plain text.',
} satisfies TextTable;
