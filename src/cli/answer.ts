// The convention of `--json`: one JSON value on standard output and nothing else; otherwise text for people.
import { maskSecrets } from '../domain/secret.js';
import { withoutDirections } from '../domain/text.js';
import type { CliIo } from './command.js';

export interface JsonOption {
  readonly json?: boolean;
}

export const JSON_FLAG = ['--json', 'answer in JSON, for machines'] as const;

export function answer(io: CliIo, options: JsonOption, value: unknown, text: () => string): void {
  const said = maskSecrets(options.json ? `${JSON.stringify(value, plain, 2)}\n` : ensureNewline(text()));
  // A file or another program gets every character; a person sees the words in the order that they have.
  io.out(io.isTty ? withoutDirections(said) : said);
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
