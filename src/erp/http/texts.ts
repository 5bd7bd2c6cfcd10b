// What is said of an integration layer alone, in both languages.
import { named, quoted, type TextTable, type Translated } from '../texts.js';

export const LAYER_ENGLISH = {
  LIST_TOO_LONG: ({ pages }: { pages: number }) => `The list has more than ${pages} pages.`,
  DIMENSION_LACKING: ({ system, dimension }: { system: string; dimension: string }) =>
    `${system} has no dimension ${dimension}.`,
  OTHER_BOOKS: (books: { company: string; ledger: string; wanted: string; wantedLedger: string }) =>
    `These are the books of ${books.company} (${books.ledger}); the tenant is configured for ${books.wanted} (${books.wantedLedger}).`,
  SERVE_ACCOUNTS: () => 'Let the layer serve GET /v1/accounts.',
  LAYER_REFUSED: ({ answer }: { answer: string }) =>
    `The integration layer refused the request: ${answer} Check the shared secret and the clock.`,
  LAYER_NOT_THE_CONTRACT: ({ problem }: { problem: string }) =>
    `The integration layer's answer is not the contract's: ${problem}`,
  NO_LOOK_UP: () => 'This connection is configured without a look-up (keys: none).',
} satisfies TextTable;

export const LAYER_ICELANDIC = {
  LIST_TOO_LONG: ({ pages }) => `Listinn er lengri en ${pages} síður.`,
  DIMENSION_LACKING: ({ system, dimension }) => `${named(system)} hefur enga vídd ${dimension}.`,
  OTHER_BOOKS: ({ company, ledger, wanted, wantedLedger }) =>
    `Þetta eru bækur ${company} (${ledger}); félagið er stillt fyrir ${wanted} (${wantedLedger}).`,
  SERVE_ACCOUNTS: () => 'Láttu millilagið svara GET /v1/accounts.',
  LAYER_REFUSED: ({ answer }) =>
    `Millilagið hafnaði beiðninni: ${quoted(answer)} Athugaðu sameiginlega leyndarmálið og klukkuna.`,
  LAYER_NOT_THE_CONTRACT: ({ problem }) =>
    `Svar millilagsins er ekki eins og um var samið: ${quoted(problem)}`,
  NO_LOOK_UP: () => 'Þessi tenging er stillt án uppflettingar (keys: none).',
} satisfies Translated<typeof LAYER_ENGLISH>;
