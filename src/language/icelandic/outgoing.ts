import type { OUTGOING as english, OUTGOING_REASONS as englishReasons } from '../english/outgoing.js';
import { answerQuoted } from '../answers.js';
import type { Message } from '../../domain/message.js';
import type { Say, Translated, TranslatedReasons } from '../table.js';

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
} satisfies Translated<typeof english>;
