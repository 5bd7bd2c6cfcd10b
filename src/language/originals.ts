// What people are told of originals: what they are, where they are, and why one is not there. The compiler sees that every code
// has its words in every language.
import type { OriginalReason, OriginalRole, OriginalState } from '../domain/original.js';

/** Said here too: whoever speaks reads this table, so it stands below them. */
type Language = 'en' | 'is';

export interface OriginalWords {
  readonly roles: Readonly<Record<OriginalRole, string>>;
  /** `expired` is told instead of the state once it is no longer kept. */
  readonly states: Readonly<Record<OriginalState | 'expired', string>>;
  readonly reasons: Readonly<Record<OriginalReason, string>>;
}

export const ORIGINAL_WORDS: Readonly<Record<Language, OriginalWords>> = {
  en: {
    roles: { pdf: 'PDF of the invoice', file: 'Receipt or bill', ubl: 'E-invoice (XML)' },
    states: {
      wanted: 'not fetched yet',
      absent: 'the invoicing service has none',
      fetched: 'kept, on its way to the entry',
      kept: 'kept; this ERP takes no files',
      attaching: 'on its way to the entry',
      unknown: 'perhaps at the entry; it is being found out',
      attached: 'at the entry in the ERP',
      parked: 'waits for a person',
      expired: 'no longer kept: older than the law asks',
    },
    reasons: {
      NONE_AT_SOURCE: 'none was uploaded',
      NO_PDF_ON_SURFACE: 'an OAuth sign-in is handed no PDFs',
      DOCUMENT_GONE: 'the document was deleted',
      TOO_LARGE: 'it is too large',
      TYPE_NOT_TAKEN: 'it is neither PDF, picture nor XML',
      NOT_BASE64: 'it came in a form that cannot be read',
      ERP_REFUSED: 'the ERP refused it',
      STORE_CHANGED: 'the kept file is missing or was changed',
      STORE_AWAY: 'the store of originals does not answer; it is tried again',
      TRIES_EXHAUSTED: 'it was tried in vain',
    },
  },
  is: {
    roles: { pdf: 'PDF reiknings', file: 'Kvittun eða fylgiskjal', ubl: 'Rafrænn reikningur (XML)' },
    states: {
      wanted: 'ekki sótt enn',
      absent: 'er ekki til í reikningakerfinu',
      fetched: 'geymt, á leið að færslunni',
      kept: 'geymt; þetta bókhaldskerfi tekur ekki við skrám',
      attaching: 'á leið að færslunni',
      unknown: 'ef til vill komið að færslunni; verið er að athuga það',
      attached: 'við færsluna í bókhaldskerfinu',
      parked: 'bíður manneskju',
      expired: 'ekki lengur geymt: eldra en lög krefjast',
    },
    reasons: {
      NONE_AT_SOURCE: 'ekkert var sett inn',
      NO_PDF_ON_SURFACE: 'með OAuth-innskráningu fást engin PDF-skjöl',
      DOCUMENT_GONE: 'skjalinu var eytt',
      TOO_LARGE: 'það er of stórt',
      TYPE_NOT_TAKEN: 'það er hvorki PDF, mynd né XML',
      NOT_BASE64: 'það barst á ólesanlegu formi',
      ERP_REFUSED: 'bókhaldskerfið hafnaði því',
      STORE_CHANGED: 'geymda skráin er horfin eða henni var breytt',
      STORE_AWAY: 'frumritageymslan svarar ekki; reynt er aftur',
      TRIES_EXHAUSTED: 'reynt var til þrautar',
    },
  },
};

/** What another version of the bridge kept is shown as it stands. */
export function originalWord(
  language: Language,
  table: keyof OriginalWords,
  code: string,
  detail = '',
): string {
  const words: Readonly<Record<string, string>> = ORIGINAL_WORDS[language][table];
  const said = words[code] ?? code;
  return detail === '' ? said : `${said} (${detail})`;
}
