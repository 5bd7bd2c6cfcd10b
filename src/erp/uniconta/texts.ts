// What is said of Uniconta alone, in both languages.
import { quoted, type TextTable, type Translated } from '../texts.js';

export const UNICONTA_ENGLISH = {
  UNICONTA_REFUSED: ({ answer }: { answer: string }) =>
    `Uniconta refused the user (${answer}). Check name, password and company.`,
  UNDONE_BY_PEOPLE: () =>
    'What people in Uniconta posted, they undo there; lines that wait are deleted there.',
} satisfies TextTable;

export const UNICONTA_ICELANDIC = {
  UNICONTA_REFUSED: ({ answer }) =>
    `Uniconta hafnaði notandanum (${quoted(answer)}). Athugaðu nafn, lykilorð og félag.`,
  UNDONE_BY_PEOPLE: () =>
    'Það sem fólk í Uniconta bókaði tekur það til baka þar; línum sem bíða er eytt þar.',
} satisfies Translated<typeof UNICONTA_ENGLISH>;
