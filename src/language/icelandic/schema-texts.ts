// Það sem sniðmát stillinga segja um gildi sem þau hafna.
import type { SCHEMA_TEXTS as ENGLISH_SCHEMA_TEXTS } from '../english/schema-texts.js';
import type { Translated } from '../table.js';

export const SCHEMA_TEXTS = {
  ACCOUNT_UNQUOTED: () => 'Lykill er texti: settu hann innan gæsalappa, svo að núll fremst haldist.',
  ACCOUNT_EMPTY: () => 'Lykill getur ekki verið tómur.',
  VAT_CODE_UNQUOTED: () => 'VSK-kóði er texti: settu hann innan gæsalappa.',
  DAY_UNFIT: () => 'Þetta á að vera dagsetning, skrifuð 2025-12-31.',
  DAY_NOT_THERE: () => 'Þessi dagur er ekki til í almanakinu.',
  NUMBER_NOT_POSITIVE: () => 'Þetta á að vera tala stærri en núll.',
  NUMBER_NEGATIVE: () => 'Þetta á að vera tala, núll eða stærri.',
  TEMPLATE_FIELD_UNKNOWN: () =>
    'Aðeins þessir reitir mega vera hér: {documentNo} {number} {party} {kennitala} {description} {date}.',
  CASE_FITS_ALL: () => 'Nefna þarf að minnsta kosti eitt sem á að passa.',
  SPREAD_NEEDS_ACCOUNT: () => 'Þetta vantar: einhverju er dreift á mánuði.',
  SUMMARY_NEEDS_VAT_LINES: () =>
    'Með þessu þarf vat.mode: explicit-lines, annars myndi bókhaldskerfið námunda virðisaukaskatt heils dags í einu.',
  NO_TENANT_NAME: () => 'Þetta er ekki nafn á félagi: 1 til 40 af a–z, 0–9 og „-“, bókstafur fremst.',
  NO_ORIGIN_NAME: () => 'Þetta er ekki nafn á uppruna: 1 til 40 af a–z, 0–9 og „-“, bókstafur fremst.',
  FILE_PATTERN_UNFIT: () =>
    'Þetta er ekki mynstur skráarheita: mest 100 tákn með * og ?, ekkert þeirra skástrik; ! fremst sleppir skrám.',
  FILE_PATTERNS_NAME_NONE: () =>
    'Þessi mynstur sleppa aðeins skrám: nefndu fyrst þær sem fylgja, t.d. „*.pdf“.',
  SERIES_UNFIT: () => 'Röð er mest 20 bókstafir, tölustafir og bandstrik.',
  NO_DAY: () => 'Þetta er ekki dagur eins og 2026-01-31.',
  NO_KENNITALA: () => 'Þetta er ekki kennitala: tíu tölustafir innan gæsalappa.',
  NO_TIME: () => 'Skrifaðu tíma sem 07:30.',
  ERP_ADDRESS_UNFIT: () => 'Þetta á að vera slóð, t.d. https://erp.example.',
  ERP_ADDRESS_NOT_HTTPS: () => 'Slóðin þarf að byrja á https:// (http:// er aðeins leyft fyrir localhost).',
  KENNITALA_UNFIT: () => 'Þetta á að vera kennitala: tíu tölustafir, bandstrik má vera á eftir þeim sjötta.',
  LEDGER_NAME_UNFIT: () =>
    'Í þessu mega vera bókstafir, tölustafir, punktar, bandstrik og undirstrik, mest 60 alls.',
  ACCOUNT_NAME_UNFIT: () => 'Í þessu mega vera bókstafir, tölustafir og bandstrik.',
  LEDGER_UNFIT: () => 'Í þessu mega ekki vera bil, og mest 100 stafir.',
  USER_NEEDED: () => 'Með `protocol: json-rpc` þarf þetta: notandanafnið sem API-lykillinn tilheyrir.',
  DATABASE_UNFIT: () => 'Þetta á að vera nafn á gagnagrunni: bókstafir, tölustafir, _ og -.',
  COMPANY_NUMBER_UNFIT: () => 'Þetta á að vera númerið sem Uniconta sýnir fyrir félagið, t.d. 12345.',
  CLEARING_ACCOUNTS_SHARED: () =>
    'Hver lykill þarf sinn lykil í Xero, svo að hægt sé að lesa færslurnar til baka.',
  SUBLEDGER_INCOMPLETE: () =>
    'Með `books: documents` þarf einn lykil viðskiptamanna og einn lykil lánardrottna.',
  CLEARING_ACCOUNT_NEEDED: () =>
    'Nefna þarf millilykil fyrir lyklana í `subledger`: greiðslur og bakfærslur fara um hann.',
  CURRENCY_NEEDS_DOCUMENTS: () =>
    'Þetta getur aðeins verið `in-currency` með `books: documents`: handfærslur hafa engan gjaldmiðil.',
} satisfies Translated<typeof ENGLISH_SCHEMA_TEXTS>;
