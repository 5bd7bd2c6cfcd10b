import type {
  OUTGOING as ENGLISH_OUTGOING,
  OUTGOING_REASONS as englishReasons,
  ORIGINS as ENGLISH_ORIGINS,
  Unfit,
} from '../english/outgoing.js';
import { answerQuoted } from '../answers.js';
import type { Message } from '../../domain/message.js';
import type { Say, Translated, TranslatedReasons } from '../table.js';
import { quoted } from './systems.js';

/** 1, 21, 31 … eru eintala, en 11 ekki. */
const isOne = (count: number) => count % 10 === 1 && count % 100 !== 11;

const awaited = (name: string, what: Message | undefined, say: Say) =>
  what === undefined ? name : `${name}: ${say(what)}`;

export const OUTGOING_REASONS = {
  SUBMISSION_BREACH: {
    says: 'Það brýtur reglu reikningaþjónustunnar og var því ekki sent.',
    detail: ({ problem }, say) => answerQuoted(problem, say),
    cure: 'Leiðréttu það í upprunanum; það er tekið upp aftur um leið og það breytist þar.',
  },
  SUBMISSION_REFUSED: {
    says: 'Reikningaþjónustan hafnaði því.',
    detail: ({ message }, say) => answerQuoted(message, say),
    cure: 'Leiðréttu það í upprunanum, eða það sem þjónustan kvartar undan hjá henni, og endurtaktu svo.',
  },
  SUBMISSION_UNKNOWN: {
    says: 'Ekki er vitað hvort reikningaþjónustan hefur það, og engin örugg leið er til að komast að því.',
    detail: ({ what }, say) => say(what),
    cure: 'Leitaðu að merkinu í reikningaþjónustunni. Sé það þar, slepptu því hér; sé það örugglega ekki þar, endurtaktu með --surely-absent.',
  },
  SUBMISSION_COLLISION: {
    says: 'Reikningaþjónustan hefur annað undir merkinu.',
    detail: ({ what }, say) => say(what),
    cure: 'Berðu þetta tvennt saman. Ekkert er sent; slepptu því hér þegar málið er útkljáð.',
  },
  SUBMISSION_TWICE: {
    says: 'Fleiri en einn reikningur í þjónustunni bera merkið.',
    detail: ({ what }, say) => say(what),
    cure: 'Hafi einhver afritað reikninginn í þjónustunni, taktu merkið úr afritinu og endurtaktu; annars þarf að kreditfæra annan.',
  },
  CUSTOMER_AWAITED: {
    says: 'Það bíður viðskiptavinar sem er ekki enn í reikningaþjónustunni.',
    detail: ({ kennitala, what }, say) => awaited(kennitala, what, say),
    cure: 'Ekkert, nema viðskiptavininum sjálfum hafi verið hafnað eða hann bíði ákvörðunar: þá þarf að laga það. Segi reikningurinn einn til um hver hann er, lagaðu það þar.',
  },
  CUSTOMER_AMBIGUOUS: {
    says: 'Reikningaþjónustan hefur fleiri en einn viðskiptavin með þessa kennitölu.',
    detail: ({ kennitala, guids }) => `${kennitala}: ${guids}`,
    cure: 'Segðu hver þeirra með `ledgerbridge outgoing use`, eða sameinaðu þá í þjónustunni og endurtaktu.',
  },
  CUSTOMER_DEACTIVATED: {
    says: 'Reikningaþjónustan sýnir þennan viðskiptavin ekki lengur á lista: hann var gerður óvirkur.',
    detail: ({ kennitala, guid }) => `${kennitala}: ${guid}`,
    cure: 'Gerðu hann virkan aftur í þjónustunni og endurtaktu. Ef stofna á nýjan við hlið hans: endurtaktu með --surely-absent.',
  },
  ITEM_AMBIGUOUS: {
    says: 'Ekki er víst hvaða vöru í reikningaþjónustunni er átt við: fleiri en ein hefur þetta númer, eða ein hefur það undir öðru nafni.',
    detail: ({ number, guids }) => `${number}: ${guids}`,
    cure: 'Segðu hver þeirra með `ledgerbridge outgoing use`. Ef það er engin þeirra: endurtaktu með --surely-absent, þá er hún stofnuð.',
  },
  ITEM_GONE: {
    says: 'Reikningaþjónustan sýnir þessa vöru ekki lengur.',
    detail: ({ number, guid }) => `${number}: ${guid}`,
    cure: 'Ef stofna á hana aftur: endurtaktu með --surely-absent; annars slepptu henni.',
  },
  PREPARED_GONE: {
    says: 'Reikningaþjónustan hefur þessi drög eða þessa pöntun ekki lengur: einhver eyddi þeim þar.',
    detail: ({ reference, guid }) => `${reference}: ${guid}`,
    cure: 'Ef stofna á þau aftur: endurtaktu með --surely-absent; annars slepptu þeim.',
  },
  CHANGED_TOO_LATE: {
    says: 'Því var breytt í upprunanum eftir að reikningur var gerður úr því, svo breytingin var ekki send.',
    detail: ({ invoices }) => invoices,
    cure: 'Komstu að því hvort er rétt. Reikningurinn er leiðréttur með kreditreikningi og nýjum reikningi.',
  },
  CREDITED_AWAITED: {
    says: 'Það kreditfærir reikning sem er ekki enn til.',
    detail: ({ reference, what }, say) => awaited(reference, what, say),
    cure: 'Ekkert, nema þeim reikningi hafi verið hafnað, hann bíði ákvörðunar eða sé óþekktur hér: þá þarf að nefna hann með guid.',
  },
  GONE_AT_ORIGIN: {
    says: 'Uppruninn hefur það ekki lengur: það var fellt niður, því eytt eða það opnað aftur þar áður en það var sent.',
    detail: ({ reference }) => reference,
    cure: 'Slepptu því. Ef það á samt að fara út: lagfærðu það í upprunanum og endurtaktu.',
  },
  LESS_AT_ORIGIN: {
    says: 'Uppruninn hefur nú minna á því en hann skráði, svo það er ekki sent eins og það var skráð.',
    detail: ({ reference }) => reference,
    cure: 'Ekkert meðan það bíður: það fer eins og það er þá þegar uppruninn skráir það aftur. Ef það bíður ákvörðunar: slepptu því og gerðu reikning fyrir afganginum með annarri færslu eða hjá reikningaþjónustunni.',
  },
  ORIGIN_SILENT: {
    says: 'Uppruninn er spurður einu sinni enn áður en það er sent, og svarar ekki.',
    detail: ({ what }, say) => say(what),
    cure: 'Ekkert, nema þetta haldi áfram: athugaðu þá hvort hægt sé að ná sambandi við upprunann. Hann er spurður aftur á mínútu fresti.',
  },
  UNREADABLE_AT_ORIGIN: {
    says: 'Uppruninn hefur það, en ekki er hægt að lesa það eins og það stendur þar nú.',
    detail: ({ what }, say) => say(what),
    cure: 'Lagfærðu það í upprunanum: það er skoðað aftur á fimm mínútna fresti og heldur áfram af sjálfu sér.',
  },
  FILE_GONE: {
    says: 'Skráin sem á að senda er ekki lengur í upprunanum, eða er orðin önnur.',
    detail: ({ file }) => file,
    cure: 'Lagfærðu skrána í upprunanum. Reikningur úr bókhaldskerfi heldur þá áfram af sjálfum sér innan klukkustundar; endurtaktu hann til að senda hann strax. Eða slepptu honum.',
  },
  PAID_ALREADY: {
    says: 'Uppruninn segir það greitt og reikningaþjónustan líka.',
    detail: () => '',
    cure: 'Ekkert.',
  },
  NOT_MARKED_PAID: {
    says: 'Uppruninn segir það greitt, en ekki var hægt að segja reikningaþjónustunni það.',
    detail: ({ what }, say) => say(what),
    cure: 'Merktu það greitt í reikningaþjónustunni.',
  },
  WITHDRAWAL_REFUSED: {
    says: 'Það átti að draga það til baka, en reikningaþjónustan heldur því.',
    detail: ({ message }, say) => answerQuoted(message, say),
    cure: 'Ekkert, eigi það að standa; kostnað sem hefur verið bókaður er aðeins hægt að leiðrétta í bókhaldinu.',
  },
  TASK_AWAITED: {
    says: 'Það bíður verksins síns, sem er ekki enn í reikningaþjónustunni.',
    detail: ({ reference, what }, say) => awaited(reference, what, say),
    cure: 'Ekkert, nema því verki hafi verið hafnað, það bíði ákvörðunar eða sé óþekkt hér: þá þarf að laga það.',
  },
  DELETED_AT_ORIGIN: {
    says: 'Uppruninn dró það til baka áður en það var sent.',
    detail: ({ reference }) => reference,
    cure: 'Ekkert.',
  },
  SUBMISSION_SKIPPED: {
    says: 'Manneskja ákvað að það yrði ekki sent.',
    detail: ({ why }) => why,
    cure: 'Ekkert; eigi samt að senda það, endurtaktu það.',
  },
  REFERENCE_TAKEN: {
    says: 'Önnur færsla hefur sama tilvísunarnúmer en annað innihald, svo þessi er ekki send.',
    detail: ({ reference, first, second }) => `${reference} tilheyrir ${first}; þessi er ${second}`,
    cure: 'Gefðu þessari annað tilvísunarnúmer eða taktu hana úr skránni. Eigi þessi að fara í stað hinnar fyrri: slepptu hinni fyrri og endurtaktu svo þessa eftir merki hennar.',
  },
  SHARING_ENDED: {
    says: 'Hún hafði sama tilvísunarnúmer og önnur færsla en hefur það ekki lengur: hún er horfin úr skránni, báðar segja það sama eða hún kom í stað hinnar fyrri.',
    detail: ({ reference }) => reference,
    cure: 'Ekkert.',
  },
  BOOKED_AT_ORIGIN: {
    says: 'Reikningurinn kom úr uppruna sem hefur þegar bókað hann.',
    detail: ({ reference }) => reference,
    cure: 'Ekkert. Eigi brúin að bóka slíka reikninga, settu outgoing.booked: bridge.',
  },
  ORIGIN_IN_DOUBT: {
    says: 'Reikningurinn ber merki frá okkur, og enn er verið að komast að því hvort hann er sá sem var sendur.',
    detail: ({ reference }) => reference,
    cure: 'Ekkert: hann heldur áfram þegar það er vitað. `ledgerbridge outgoing list --state unknown` sýnir það.',
  },
} satisfies TranslatedReasons<typeof englishReasons>;

const STATES: Readonly<Record<string, string>> = {
  received: 'bíður sendingar',
  held: 'bíður eftir öðru',
  sending: 'á leiðinni',
  unknown: 'óvíst',
  created: 'orðið til',
  acknowledged: 'orðið til',
  refused: 'hafnað',
  parked: 'bíður ákvörðunar',
  skipped: 'ekki sent',
  withdrawing: 'verið er að draga það til baka',
  withdrawn: 'dregið til baka',
};

export const OUTGOING = {
  NOT_HANDED_OVER: () => 'enginn uppruni hefur afhent það enn',
  RECORD_RESTS: ({ state }) => `staða þess er „${STATES[state] ?? state}“`,
  SUBMISSION_MAY_BE_FORGOTTEN: () =>
    'Það kann að hafa verið sent áður, og þjónustan sýnir ekki lista yfir þessa tegund.',
  SEVERAL_CARRY_THE_MARK: ({ invoices }) => `Reikningar: ${invoices}.`,
  CREATED_NOT_SHOWN: () => 'Þjónustan sagði að það hefði orðið til, en sýnir það ekki.',
  REQUEST_NOT_ON_RECORD: () => 'Það var sent eins oft og brúin reynir.',
  FIELDS_AGREED: () => 'Uppruna og þjónustu ber saman aftur, eða einhver hefur ákveðið.',
  ORIGIN_ANSWERS: () => 'Uppruninn svarar aftur.',
  ORIGIN_READABLE: () => 'Hægt er að lesa allar færslur upprunans.',
  OUTGOING_UNCONFIRMED: ({ count }) =>
    `${count} ${isOne(count) ? 'færsla bíður' : 'færslur bíða'} þess að vera sendar inn í þjónustuna, þar til áætlunin hefur verið skoðuð og staðfest.`,
  CONFIRM_OUTGOING: ({ tenant }) =>
    `ledgerbridge outgoing plan ${tenant} sýnir hana; ledgerbridge outgoing confirm ${tenant} setur hana af stað.`,
  LOOK_AT_SUBMISSIONS: ({ tenant, state, cure }) =>
    `${cure} Allar: ledgerbridge outgoing list --tenant ${tenant} --state ${state}`.trimStart(),
  SUBMISSIONS_NEED_A_PERSON: ({ count }) =>
    `${count} ${isOne(count) ? 'færsla sem fer inn í þjónustuna þarf' : 'færslur sem fara inn í þjónustuna þurfa'} manneskju.`,
  SUBMISSION_IS_NEXT: () => 'Þetta bíður þess að röðin komi að því og er þá sent sjálfkrafa.',
  SUBMISSION_AWAITS_PLAN: ({ tenant }) =>
    `Þetta bíður: ekkert frá ${tenant} er sent fyrr en áætlunin hefur verið skoðuð og staðfest.`,
  SUBMISSION_AWAITS_TOMORROW: ({ perDay }) =>
    `Þetta bíður: ${perDay} voru send síðasta sólarhring, sem er eins margt og outgoing.perDay leyfir.`,
  SUBMISSION_IS_SENDING: () => 'Beiðnin er á leið til þjónustunnar.',
  SUBMISSION_IS_IN_DOUBT: () =>
    'Þetta var sent og enginn veit hvort þjónustan hefur það. Leitað er að því þegar ekkert af því getur lengur verið á leiðinni; fyrr er ekkert sent.',
  SUBMISSION_IS_CREATED: () => 'Þetta er komið til þjónustunnar; næst er upprunanum sagt frá því.',
  SUBMISSION_IS_DONE: () => 'Þetta er hjá þjónustunni og upprunanum hefur verið sagt frá því.',
  SUBMISSION_IN_CONFLICT: ({ fields }) =>
    `Þetta er hjá þjónustunni. Báðar hliðar hafa breytt ${fields}: þjónustan heldur sínu þar til einhver segir hvort gildir.`,
  SUBMISSION_IS_WITHDRAWING: () => 'Verið er að taka þetta til baka hjá þjónustunni.',
  SUBMISSION_IS_WITHDRAWN: () => 'Þetta var tekið til baka og er ekki lengur hjá þjónustunni.',
  LOOK_UP_INVOICE: ({ mark }) =>
    `Eftir merkinu ${mark}, meðal allra reikninga frá útgáfudegi og dögunum í kring.`,
  LOOK_UP_CUSTOMER: () => 'Eftir kennitölu, meðal allra viðskiptavina.',
  LOOK_UP_ITEM: () => 'Eftir guid, eða eftir númerinu fremst í lýsingunni, meðal allra vara í vöruskránni.',
  LOOK_UP_COST: ({ mark }) =>
    `Eftir guid, eða eftir merkinu ${mark} meðal alls kostnaðar síðan skránni var síðast breytt.`,
  LOOK_UP_TASK: ({ mark }) => `Eftir merkinu ${mark}, meðal allra verka.`,
  LOOK_UP_HOURS: ({ mark }) => `Eftir merkinu ${mark}, meðal tíma í verkinu.`,
  LOOK_UP_NOTHING: () =>
    'Þjónustan birtir engan lista yfir þetta og því er ekki hægt að leita að því: það sem er í vafa bíður manneskju.',
  CAN_REPLAY_SUBMISSION: () => 'Taka það upp aftur; fyrst er leitað að því sem gæti hafa verið sent.',
  CAN_SKIP_SUBMISSION: () => 'Senda það ekki; upprunanum er sagt frá því.',
  CAN_WITHDRAW_SUBMISSION: () => 'Taka það til baka hjá þjónustunni, þar sem reglur hennar leyfa.',
  CAN_USE_CUSTOMER: () => 'Segja hvaða viðskiptavin eða vöru í þjónustunni er átt við.',
  CAN_SETTLE_FIELDS: () => 'Segja hvor hliðin gildir, reit fyrir reit.',
  OUTGOING_IS_OFF: ({ tenant }) => `Skrá ${tenant} hefur engan kafla outgoing, svo ekkert fer út.`,
  SUBMISSION_STATE: ({ reference, state }) =>
    `${reference} er í stöðunni „${STATES[state] ?? state}“: þetta er ekki hægt núna.`,
  SAY_SURELY_ABSENT: ({ reference }) =>
    `Ekki er hægt að leita að ${reference}. Hafi einhver gáð og þjónustan hefur örugglega ekkert af því, segðu það með --surely-absent.`,
  NOTHING_IN_CONFLICT: ({ reference }) => `Engu á ${reference} var breytt báðum megin.`,
  NO_FIELD_NAMED: ({ reference }) => `Segðu um hvaða reit á ${reference} er að ræða.`,
  SENT_SINCE_YOU_LOOKED: ({ reference, seen, sends }) =>
    `${reference} hefur nú verið sent ${sends} sinnum, en ${seen} sinnum þegar gáð var: það sem sagt var á við um eldri sendingu. Gáðu aftur.`,
  CONFLICT_IS_ANOTHER: ({ reference }) =>
    `Það sem ${reference} stangast á um hefur breyst síðan það var sýnt. Skoðaðu það aftur.`,
  SHARES_NO_MORE: ({ reference }) =>
    `Þessi færsla hafði sama tilvísunarnúmer og önnur, ${reference}, en hefur það ekki lengur: ekkert er eftir af henni til að senda.`,
  FIRST_KEEPS_REFERENCE: ({ reference, place, state }) =>
    `${reference} tilheyrir færslunni í ${place}, sem er í stöðunni „${STATES[state] ?? state}“. Slepptu henni fyrst hafi hún ekki verið send; annars þarf þessi annað tilvísunarnúmer.`,
  NO_CUSTOMER: ({ reference }) => `${reference} er hvorki viðskiptavinur né vara.`,
  SUBMISSION_UNKNOWN_HERE: ({ text }) => `Ekkert sem fer út heitir ${text.slice(0, 60)}.`,
  SUBMISSION_SEVERAL: ({ text }) => `Fleiri en eitt heitir ${text.slice(0, 60)}.`,
  RECEIPT_MAY_BE_QUEUED: () =>
    'Enginn kostnaður ber merkið; hann kann að bíða þess að gervigreind lesi hann, og þangað til sýnir þjónustan ekkert af honum.',
  FILE_TO_SEND_IS_GONE: () =>
    'Þjónustan sýnir það ekki, og skráin sem yrði send aftur er ekki lengur í upprunanum.',
  CANNOT_BE_WITHDRAWN: ({ reference }) =>
    `Ekki er hægt að draga ${reference} til baka: aðeins kostnað, drög og pantanir.`,
  TEMPLATE_MAKES_INVOICES: () =>
    'Þjónustan hefur það: reikningar sem það gerir bera merkið. Það er hvergi á lista, svo guid þess er ekki þekkt hér.',
  CANNOT_BE_SEARCHED: () => 'Þjónustan sýnir ekki lista yfir þessa tegund, svo ekki er hægt að leita að því.',
} satisfies Translated<typeof ENGLISH_OUTGOING>;

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
} satisfies Translated<typeof ENGLISH_ORIGINS>;
