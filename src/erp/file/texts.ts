// What is said of journal files alone, in both languages.
import { type TextTable, type Translated } from '../texts.js';

export const FILE_ENGLISH = {
  ALREADY_REVERSED_BY: ({ entry }: { entry: string }) => `The entry has been reversed already, by ${entry}.`,
  NOTHING_TO_REVERSE: () => 'The entry to reverse is not in these books.',
  NO_SUCH_ENTRY: ({ entry }: { entry: string }) => `There is no entry ${entry} in these books.`,
  JOURNAL_TOO_LONG: () => 'The journal is too long for the books.',
  BOOKS_IN_USE: ({ directory, seconds }: { directory: string; seconds: number }) =>
    `Another process has held the books in ${directory} for more than ${seconds} seconds.`,
  WRITE_NOT_UNDONE: () => 'A write to the books failed and could not be undone.',
  READY_BOOKS: ({ directory }: { directory: string }) => `The books in ${directory} are ready.`,
  ACCOUNT_UNFIT: ({ account }: { account: string }) =>
    `"${account}" cannot be an account here: use letters, digits, hyphens.`,
  ACCOUNT_NOT_IN_BOOKS: ({ account }: { account: string }) =>
    `Account ${account} is not in the chart of accounts of these books.`,
  CURRENCY_UNFIT: ({ currency }: { currency: string }) =>
    `"${currency}" is not a currency code of three capital letters.`,
  BOOKS_CLOSED_FOR: ({ until, number, date }: { until: string; number: string; date: string }) =>
    `The books are closed until ${until}; ${number} is dated ${date}.`,
  OTHER_DIRECTORY: (books: {
    directory: string;
    company: string;
    ledger: string;
    wanted: string;
    wantedLedger: string;
  }) =>
    `${books.directory} holds the books of ${books.company} (${books.ledger}), not of ${books.wanted} (${books.wantedLedger}).`,
  CORRECT_RULES_OR_CHART: () => 'Correct the rules or the chart.',
  SEE_TO_DIRECTORY: ({ directory }: { directory: string }) =>
    `See to it that ${directory} can be written to and holds the books of this company.`,
  BOOKS_NOT_WRITTEN: ({ code }: { code: string }) => `The books could not be written (${code}).`,
} satisfies TextTable;

export const FILE_ICELANDIC = {
  ALREADY_REVERSED_BY: ({ entry }) => `Færslan hefur þegar verið bakfærð, með ${entry}.`,
  NOTHING_TO_REVERSE: () => 'Færslan sem á að bakfæra er ekki í þessum bókum.',
  NO_SUCH_ENTRY: ({ entry }) => `Engin færsla ${entry} er í þessum bókum.`,
  JOURNAL_TOO_LONG: () => 'Dagbókarfærslan er of löng fyrir bækurnar.',
  BOOKS_IN_USE: ({ directory, seconds }) =>
    `Annað ferli hefur haldið bókunum í ${directory} lengur en ${seconds} sekúndur.`,
  WRITE_NOT_UNDONE: () => 'Skrif í bækurnar mistókust og ekki tókst að taka þau til baka.',
  READY_BOOKS: ({ directory }) => `Bækurnar í ${directory} eru tilbúnar.`,
  ACCOUNT_UNFIT: ({ account }) =>
    `„${account}“ getur ekki verið lykill hér: notaðu bókstafi, tölustafi og bandstrik.`,
  ACCOUNT_NOT_IN_BOOKS: ({ account }) => `Lykillinn ${account} er ekki í bókhaldslyklum þessara bóka.`,
  CURRENCY_UNFIT: ({ currency }) => `„${currency}“ er ekki gjaldmiðilskóði úr þremur hástöfum.`,
  BOOKS_CLOSED_FOR: ({ until, number, date }) =>
    `Bækurnar eru lokaðar til ${until}; ${number} er dagsett ${date}.`,
  OTHER_DIRECTORY: ({ directory, company, ledger, wanted, wantedLedger }) =>
    `${directory} geymir bækur ${company} (${ledger}), ekki ${wanted} (${wantedLedger}).`,
  CORRECT_RULES_OR_CHART: () => 'Leiðréttu reglurnar eða bókhaldslyklana.',
  SEE_TO_DIRECTORY: ({ directory }) =>
    `Sjáðu til þess að hægt sé að skrifa í ${directory} og að þar séu bækur þessa félags.`,
  BOOKS_NOT_WRITTEN: ({ code }) => `Ekki tókst að skrifa í bækurnar (${code}).`,
} satisfies Translated<typeof FILE_ENGLISH>;
