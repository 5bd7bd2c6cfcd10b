import type { ORIGINS as english, Unfit } from '../english/origins.js';
import type { Translated } from '../table.js';
import { quoted } from './systems.js';

const UNFIT: Readonly<Record<Exclude<Unfit, ''>, (names: string) => string>> = {
  number: () => 'er ekki tala eins og 1990 eða 1990.50',
  day: () => 'er ekki dagur eins og 2026-01-31',
  time: () => 'er ekki tími eins og 08:30',
  kennitala: () => 'er ekki kennitala með tíu tölustöfum',
  'after-from': () => 'er ekki á eftir from',
  line: () => 'þarf að minnsta kosti eina línu',
  missing: () => 'vantar',
  'unknown-field': (names) => `óþekktur reitur: ${names}`,
  'one-of': (names) => `er ekki eitt af: ${names}`,
  'too-long': () => 'er of langt',
  'too-short': () => 'er of stutt',
};

export const ORIGINS = {
  FIELDS_UNFIT: ({ fields }, say) => fields.map((field) => say(field)).join('; '),
  FIELD_UNFIT: ({ field, problem, unfit, names }) =>
    `${field} ${unfit === '' ? quoted(problem) : UNFIT[unfit](names)}`.trim(),
  AT_RECORD: ({ at, what }, say) => `${at}: ${say(what)}`,
} satisfies Translated<typeof english>;
