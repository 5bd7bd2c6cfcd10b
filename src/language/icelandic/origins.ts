import type { ORIGINS as english, Unfit } from '../english/origins.js';
import type { Translated } from '../table.js';
import { quoted } from './systems.js';

const UNFIT: Readonly<
  Record<Exclude<Unfit, 'missing' | 'unknown-field' | 'line' | ''>, (names: string) => string>
> = {
  number: () => 'er ekki tala eins og 1990 eða 1990.50',
  day: () => 'er ekki dagur eins og 2026-01-31 eða 31.1.2026',
  time: () => 'er ekki tími eins og 08:30',
  kennitala: () => 'er ekki kennitala með tíu tölustöfum',
  'after-from': () => 'er ekki á eftir `from`',
  'one-of': (names) => `er ekki eitt af: ${names}`,
  'yes-or-no': () => 'er ekki eitt af: 1, 0, true, false, yes, no, já, nei',
  tax: () => 'er ekki eitt af: S (24 %), AA (11 %), Z (0 %)',
  'no-text': () => 'er ekki texti',
  'too-long': (most) => `er lengra en ${most} stafir`,
};

export const ORIGINS = {
  FIELDS_UNFIT: ({ fields }, say) => fields.map((field) => say(field)).join('; '),
  FIELD_UNFIT: ({ field, row = 0, line = 0, found = '', problem, unfit, names }) => {
    const place = row > 0 ? ` í röð ${String(row)}` : line > 0 ? ` í línu ${String(line)}` : '';
    switch (unfit) {
      case 'missing':
        return `${field}${place} vantar`;
      case 'unknown-field':
        return `óþekktur reitur${place}: ${names}`;
      case 'line':
        return `${field} þarf að minnsta kosti eina línu`;
      case '':
        return `${field}${place}: ${quoted(problem)}`;
      default:
        return found === ''
          ? `${field}${place} ${UNFIT[unfit](names)}`
          : `${field}${place} er „${found}“, sem ${UNFIT[unfit](names)}`;
    }
  },
  AT_RECORD: ({ at, what }, say) => `${at}: ${say(what)}`,
  FILE_GOES_ONCE: ({ twin }) => `er sama skrá og ${twin}, sem fer einu sinni`,
  FILE_READ_TO: ({ bytes, most }) => `skráin er ${String(bytes)} bæti; mest eru lesin ${String(most)}`,
  FILE_IS_NONE: () =>
    'það er tengill, pípa eða tæki en ekki skrá: settu skrána sjálfa þangað; tenglum er aldrei fylgt',
  FILE_NOT_READABLE: ({ code }) =>
    `brúin má ekki lesa hana (${code}): gefðu notandanum sem hún keyrir undir lesrétt`,
  NOT_FILES: ({ count, names }) =>
    `${String(count)} af heitunum í möppunni eru tenglar, pípur eða tæki og eru ekki lesin: ${names}. Settu skrárnar sjálfar þangað`,
  RESULT_NOT_WRITTEN: ({ file }) =>
    `ekki er hægt að skrifa ${file}: skráin eða mappan er tengill, pípa eða tæki, eða skráin heitir öðru nafni annars staðar. Færðu hana burt; þá verður hún búin til að nýju`,
  FOLDER_LARGE: ({ files }) =>
    `í möppunni eru ${String(files)} skrár og það tefur hverja yfirferð: flyttu þær sem eru afgreiddar í aðra möppu`,
  FOLDER_FULL: ({ most }) =>
    `í möppunni eru fleiri en ${String(most)} skrár og nýjar umfram það eru ekki lesnar: flyttu þær sem eru afgreiddar í aðra möppu`,
  FILE_IS_SPREADSHEET: () =>
    'skrár töflureikna eru ekki lesnar: vistaðu hana sem CSV (í Excel: Vista sem, CSV UTF-8) og settu þá skrá hingað',
  FILE_NOT_UTF8: () => 'skráin er ekki í UTF-8',
  KIND_UNKNOWN: ({ kind, kinds }) => `kind „${kind}“ er ekki eitt af: ${kinds}`,
  KIND_NOT_TAKEN: ({ kind, kinds }) =>
    `hér er ekki tekið við „${kind}“, aðeins ${kinds}; stillingarnar segja til um það (\`kinds\`)`,
  REFERENCE_UNFIT: ({ reference }) =>
    `reference „${reference}“ vantar, er of langt eða í því eru tákn sem mega ekki vera þar`,
  REFERENCE_MISSING: () => 'reference vantar',
  NO_SUCH_COLUMN: ({ columns, allowed }) =>
    allowed === undefined
      ? `óþekktur dálkur: ${columns}`
      : `óþekktur dálkur: ${columns}. Með hinum dálkum skrárinnar mega vera ${allowed}, eða íslensk heiti þeirra`,
  ROW_DIFFERS: ({ names, reference }) =>
    `${names} er annað en í fyrstu línu ${reference}: endurtaktu það sem þar stendur eða hafðu reitinn auðan`,
  ROW_CELLS: ({ cells, columns, isComma }) =>
    `reitir línunnar eru ${String(cells)} en dálkar skrárinnar ${String(columns)}${isComma === true ? ': er þetta tugabrotskomma? Settu töluna innan gæsalappa eða vistaðu skrána með semíkommum á milli reita' : ''}`,
  RECORD_LACKS_ROW: ({ reference, line }) =>
    `ekkert af ${reference} er tekið því ekki er hægt að lesa línu ${String(line)} í skránni, sem gæti tilheyrt því`,
  NUMBER_UNCLEAR: ({ column, found }) =>
    `${column} er „${found}“, sem getur verið þúsundir eða tala með þremur aukastöfum, og aðrar tölur í skránni skera ekki úr: skrifaðu hana án þúsundaskila eða með tveimur aukastöfum`,
  DAY_UNCLEAR: ({ column, found }) =>
    `${column} er „${found}“ þar sem dagur eða mánuður kann að standa fremst, og aðrar dagsetningar skrárinnar skera ekki úr: skrifaðu hana eins og 2026-01-31 eða 31.1.2026`,
  COLUMN_TWICE: ({ columns }) => `sami dálkur er þar tvisvar: ${columns}`,
  TABLE_EMPTY: () =>
    'skráin er tóm: í henni eiga að vera dálkaheiti í fyrstu línu og að minnsta kosti ein lína þar fyrir neðan',
  ROW_QUOTES: () => 'gæsalöppum er ekki lokað eða þær standa þar sem þær mega ekki vera',
  FILE_NO_CSV: ({ why }) => `skráin er ekki CSV: ${quoted(why)}`,
  FILE_NO_XML: ({ why }) => `skráin er ekki XML: ${quoted(why)}`,
  LINE_NO_OBJECT: () => 'er ekki hlutur innan slaufusviga',
  LINE_TOO_MANY_VALUES: ({ most }) => `í honum eru fleiri en ${String(most)} gildi`,
  LINE_NO_JSON: ({ why }) => `er ekki JSON: ${quoted(why)}`,
  NO_UBL_ORDER: () => 'það er ekki pöntun á sniðinu UBL 2.1',
  WAITS_FOR_FILE: ({ file }) => `bíður eftir ${file}`,
  FILE_NAME_UNFIT: ({ name }) =>
    `files: „${name}“ er ekki skráarheiti: aðeins heiti, án möppu, sem byrjar ekki á punkti`,
  FILE_NO_BASE64: ({ file }) => `files: innihald ${file} er ekki base64`,
  FILE_IS_LINK: ({ file }) =>
    `${file} er tengill en ekki skrá sem getur fylgt með; \`files\` upprunans segir hverjar fylgja`,
  FILE_ELSEWHERE: ({ file }) =>
    `${file} er nefnd með vefslóð og ekkert er sótt þangað; \`embedded\` upprunans segir hvaða skrár fylgja`,
  BESIDE_NO_OBJECT: ({ file }) => `${file} er ekki hlutur innan slaufusviga`,
  BESIDE_NO_JSON: ({ file, why }) => `${file} er ekki JSON: ${quoted(why)}`,
  HOURS_WITHOUT_CUSTOMER: () => 'á því eru tímar sem á að rukka en enginn viðskiptavinur með kennitölu',
  HOURS_MAY_BE_BILLED: ({ hours, date }) =>
    `${hours} tímar ${date} kunna að vera á reikningi sem verkið á í þjónustunni og brúin rukkar þá ekki: rukkið þá þar eða skráið þá aftur`,
  HOURS_BILLED_BEFORE: ({ hours, date, period }) =>
    `${hours} tímar ${date} voru þegar rukkaðir með ${period} og verða ekki rukkaðir aftur`,
  KENNITALA_SHARED: ({ kennitala, customers }) =>
    `fleiri en einn viðskiptavinur hefur kennitöluna ${kennitala} og enginn þeirra er afhentur: ${customers}`,
  ITEM_NUMBER_SHARED: ({ number, items }) =>
    `fleiri en ein vara hefur kóðann ${number} og engin þeirra er afhent: ${items}`,
  ITEM_GROUP_UNKNOWN: ({ number, group }) =>
    group === ''
      ? `varan ${number} hefur engan VSK-bókunarflokk`
      : `varan ${number} er í VSK-bókunarflokknum ${group} og \`vatGroups\` upprunans segir ekki hvaða VSK það er`,
  PARTY_WITHOUT_KENNITALA: ({ party }) => `viðskiptavinurinn ${party} hefur enga kennitölu`,
  CREDITS_NOT_ONE: () => 'hann kreditfærir eitthvað, en ekki línur nákvæmlega eins reiknings',
  ERP_NO_ORIGIN: ({ adapter, lacks }) => `Bókhaldskerfið „${adapter}“ getur ekki afhent ${lacks}.`,
  TAKE_OUT_OF_HANDS: () => 'Taktu það út úr `hands` eða notaðu annan uppruna fyrir það.',
} satisfies Translated<typeof english>;
