// What is said of dkPlus alone, in both languages.
import { quoted, type TextTable, type Translated } from '../texts.js';

export const DKPLUS_ENGLISH = {
  DKPLUS_REFUSED: ({ answer }: { answer: string }) =>
    `dkPlus refused the token (${answer}). Check that it is whole and not revoked.`,
  DKPLUS_CUT_OFF: () => 'dkPlus cannot reach the books now.',
  ACCOUNT_SPLITS_VAT: ({ account, vatCode }: { account: string; vatCode: string }) =>
    `Account ${account} has the VAT code ${vatCode} in dk, so dk would take the amount as gross and split it again. Use an account without a VAT code, or \`vat.mode: erp-splits\` in the rules.`,
  ACCOUNT_OTHER_VAT: ({ account, has, wanted }: { account: string; has: string; wanted: string }) =>
    `Account ${account} has ${has === '' ? 'no VAT code' : `the VAT code ${has}`} in dk, and the rules want ${wanted === '' ? 'none' : wanted} on this line. Correct the account in dk, or the rules.`,
  VAT_CODE_WITHOUT_ACCOUNT: ({ vatCode }: { vatCode: string }) =>
    `No account in dk has the VAT code ${vatCode}; documents with it will wait.`,
  WAITS_IN_PILE: () =>
    'dkPlus shows no unposted journals. Look into the journal in dk, then post or delete it there.',
  TAKEN_BY_DK: ({ key, journal }: { key: string; journal: string }) =>
    `dkPlus took the journal, but no transaction has the reference ${key}. It may lie unposted in journal ${journal}.`,
} satisfies TextTable;

export const DKPLUS_ICELANDIC = {
  DKPLUS_REFUSED: ({ answer }) =>
    `dkPlus hafnaði aðgangslyklinum (${quoted(answer)}). Athugaðu að hann sé heill og ekki afturkallaður.`,
  DKPLUS_CUT_OFF: () => 'dkPlus nær ekki sambandi við bækurnar núna.',
  ACCOUNT_SPLITS_VAT: ({ account, vatCode }) =>
    `Lykillinn ${account} hefur VSK-kóðann ${vatCode} í dk, svo dk tæki upphæðina sem brúttó og skipti henni aftur. Notaðu lykil án VSK-kóða, eða \`vat.mode: erp-splits\` í reglunum.`,
  ACCOUNT_OTHER_VAT: ({ account, has, wanted }) =>
    `Lykillinn ${account} hefur ${has === '' ? 'engan VSK-kóða' : `VSK-kóðann ${has}`} í dk, en reglurnar vilja ${wanted === '' ? 'engan' : wanted} á þessari línu. Leiðréttu lykilinn í dk eða reglurnar.`,
  VAT_CODE_WITHOUT_ACCOUNT: ({ vatCode }) =>
    `Enginn lykill í dk hefur VSK-kóðann ${vatCode}; skjöl með honum munu bíða.`,
  WAITS_IN_PILE: () =>
    'dkPlus sýnir ekki óbókaðar dagbækur. Líttu í dagbókina í dk og bókaðu hana eða eyddu henni þar.',
  TAKEN_BY_DK: ({ key, journal }) =>
    `dkPlus tók við dagbókinni en engin hreyfing hefur tilvísunina ${key}. Hún kann að liggja óbókuð í dagbókinni ${journal}.`,
} satisfies Translated<typeof DKPLUS_ENGLISH>;
