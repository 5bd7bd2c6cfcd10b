// Hvers vegna lína í færslu er eins og hún er.
import type {
  TRACE as ENGLISH_TRACE,
  DOCUMENTS as ENGLISH_DOCUMENTS,
  CLOSING as ENGLISH_CLOSING,
  REQUESTS as ENGLISH_REQUESTS,
} from '../english/trace.js';
import type { Translated } from '../table.js';
import { originalWord } from '../originals.js';
import { sourceFieldWords } from '../source-fields.js';
import { stateName } from './posting-reasons.js';

export const TRACE = {
  STATED_FOR_RATE: () => 'Rafræni reikningurinn tilgreinir það fyrir þrepið.',
  VAT_OF_IMPORT: () => 'Þetta er virðisaukaskattur af innfluttum vörum; verð þeirra er ekki á reikningnum.',
  PAID_BEFOREHAND: () => 'Það var greitt fyrir fram, eins og rafræni reikningurinn segir.',
  VAT_NOT_ON_COST: () => 'Aðeins rafræni reikningurinn tilgreinir hann, og ekkert af honum er dregið frá.',
  SAME_VAT_IN_CURRENCY: ({ currency }) =>
    `Rafræni reikningurinn tilgreinir sama virðisaukaskatt í ${currency}.`,
  POSTED_ON_ISSUE_DATE: () => 'Bókunardagurinn er útgáfudagurinn.',
  MOVED_TO_OPEN_DAY: ({ lockedUntil, issueDate }) =>
    `Bækurnar eru læstar til ${lockedUntil}; dagsetning skjalsins er áfram ${issueDate}.`,
  BOOKED_TOGETHER: ({ closes }) =>
    `Það er bókað í einni færslu með öðrum skjölum dagsins, sem er lokað ${closes}.`,
  ORIGINAL_NOT_LOOKED_UP: () => 'Frumreikningnum var ekki flett upp.',
  PREFIX_AND_NUMBER: () => 'Forskeytið og svo númer reikningsins.',
  BOOKS_IN_ISK: () => 'Bækurnar eru færðar í krónum.',
  RATE_OF_DAY: ({ day }) => `Gengi þess ${day}.`,
  NO_RATE_STATED: () => 'Skjalið tilgreinir ekkert.',
  INVOICE_STATES_IT: () => 'Reikningurinn tilgreinir það.',
  ORIGINAL_STATES_IT: () => 'Reikningurinn sem er bakfærður tilgreinir það.',
  VAT_IN_BOTH: () => 'Rafræni reikningurinn tilgreinir virðisaukaskattinn í báðum gjaldmiðlum.',
  ROUNDING_REST: () => 'Afgangur námundunar í gjaldmiðlinum fór hingað.',
  ROUNDED_ONE_BY_ONE: () => 'Hver lína er námunduð í krónur fyrir sig; þetta er mismunurinn.',
  PART_DEDUCTIBLE: ({ percent, costCode }) =>
    `${percent} % virðisaukaskatts á kóða ${costCode} eru frádráttarbær.`,
  NOTHING_TO_DEDUCT: () => 'Án virðisaukaskatts er ekkert að draga frá.',
  VAT_IN_EXPENSE: () => 'Virðisaukaskattur sem er ekki frádráttarbær er hluti gjaldsins.',
  NET_AFTER_ROUNDING: () => 'Það sem námundun virðisaukaskatts skilur eftir af nettó.',
  VAT_DEDUCTED: () => 'Virðisaukaskattur sem má draga frá.',
  SUPPLIER_ABROAD: () => 'Birgirinn er erlendis og innheimti engan íslenskan virðisaukaskatt.',
  VAT_OWED_AND_DEDUCTED: () => 'Virðisaukaskattur sem skuldast og dregst frá.',
  VAT_OWED_NOT_DEDUCTIBLE: () => 'Virðisaukaskattur sem skuldast og er ekki frádráttarbær.',
  VAT_OWED_BY_BUYER: () => 'Virðisaukaskattur sem kaupandinn skuldar.',
  OWED_IN: ({ currency }) => `Skuldað í ${currency}.`,
  CODE_HAS_ACCOUNT: ({ costCode }) => `Kóði ${costCode} á sér eigin lykil fyrir þennan greiðslumáta.`,
  HOW_PAID: ({ howPaid }) => `how_paid er ${howPaid}.`,
  CENTS_LEFT: () => 'Aurarnir sem línurnar voru undir upphæðinni eða yfir henni.',
  LINES_GIVE_AMOUNT: ({ perUnit }) =>
    `Línurnar með virðisaukaskatti gefa upphæðina${perUnit ? ', með afslætti á einingu' : ''}.`,
  CUSTOMER_EXEMPT: () => 'Viðskiptavinurinn er undanþeginn skatti.',
  TOTALS_GIVE_AMOUNT: ({ withVat }) =>
    `Línurnar gefa ekki upphæðina en samtölur eftir þrepi gera það, lesnar ${withVat ? 'með' : 'án'} virðisaukaskatts.`,
  CUSTOMER_OWES: ({ currency }) =>
    currency === undefined
      ? 'Það sem viðskiptavinurinn skuldar.'
      : `Það sem viðskiptavinurinn skuldar, í ${currency}.`,
  ITEM_NUMBER: ({ number }) => `Varan er númer ${number}.`,
  ITEM_CATEGORY: ({ category }) => `Varan er í flokki ${category}.`,
  NO_OWN_ACCOUNT: () => 'Hvorki vörunúmerið né flokkurinn á sér eigin lykil.',
  TAXED_AS: ({ treatment }) => `Línan er skattlögð sem ${treatment}.`,
  RESIDUAL: ({ isFee }) => `${isFee ? 'Gjald' : 'Afsláttur'} sem er í samtölunum en ekki í línunum.`,
  VAT_ON_LINES: () => 'Virðisaukaskattur af samtölu línanna.',
  ERP_SPLITS_VAT: () => 'Bókhaldskerfið tekur virðisaukaskattinn úr línunni eftir kóða hennar.',
  PAID_IN: () => 'Það sem bankinn greiddi inn fyrir kröfuna.',
  TAX_WITHHELD: () => 'Fjármagnstekjuskattur sem bankinn hélt eftir.',
  INTEREST_PAID: () => 'Dráttarvextir sem viðskiptavinurinn greiddi.',
  COLLECTION_PAID: () => 'Vanskilagjald og annar kostnaður sem viðskiptavinurinn greiddi.',
  PAID_ON: ({ day }) => `Greiðslan sást fyrst ${day}.`,
  SPREAD_OVER: ({ releases, first, last }) =>
    releases === 1 ? `Losað ${first}.` : `Losað á ${releases} dögum frá ${first} til ${last}.`,
  WAITS_FOR_RELEASE: ({ isLater }) =>
    `Tilheyrir ${isLater ? 'síðari' : 'fyrri'} mánuðum en skjalið og bíður þeirra hér.`,
  RELEASED: ({ part, of }) => `Hluti ${part} af ${of} sem biðu.`,
  CLOSES_RECEIVABLE: () => 'Lokar kröfunni á viðskiptamanninn.',
  EXCHANGE_DIFFERENCE: ({ isGain }) => `${isGain ? 'Hækkun' : 'Lækkun'} gengis frá reikningi til greiðslu.`,
  PAYMENT_TAKEN_BACK: () => 'Greiðslan sem hér var bókuð var tekin til baka.',
  PAID_BY_METHOD: ({ method }) => `Greitt var með aðferð ${method}.`,
  PAYMENT_UNKNOWN: () => 'Ekki er vitað hvernig var greitt.',
  END_KEPT: ({ number }) => `Af ${number} var endanum haldið.`,
  FIELD_SAYS: ({ field, text }) => `${field} segir „${text}“.`,
  VALUE_UNKNOWN: ({ field, text }) => `${field} segir „${text}“, sem gildataflan þekkir ekki.`,
  DATE_FROM_XML: () => 'Aðeins rafræni reikningurinn hefur dagsetningu.',
  COST_NUMBER: ({ fromXml }) =>
    `Forskeytið og svo ${fromXml ? 'númerið á rafræna reikningnum' : 'upphafið á guid'}.`,
  XML_SAYS_SO: () => 'Rafræni reikningurinn segir það.',
  CREDIT_NOTE_FLAG: () => 'credit_note er 1.',
  NO_XML_TO_TELL: () => 'Enginn rafrænn reikningur sem segði til um kreditreikning.',
  CODE_IS: ({ costCode, written }) =>
    written === undefined ? `Kóðinn er ${costCode}.` : `Kóðinn ${written} er annað nafn á ${costCode}.`,
  PRIOR_PERIOD: ({ issued }) => `Reikningurinn var gefinn út ${issued}, á fyrra tímabili.`,
  TABLE_KNOWS: ({ key }) => `Taflan þekkir ${key}.`,
  EMPLOYEE_PAID: ({ name }) => `Textarnir nefna ${name}, og starfsmaður greiddi.`,
  CASE_OF_LINE: () => 'Fyrsta tilvikið sem á við þessa línu.',
  CASE_OF_COST: () => 'Fyrsta tilvikið sem á við þennan kostnað.',
} satisfies Translated<typeof ENGLISH_TRACE>;

// Hvernig skjal stendur, og hvað aðgerð á því myndi gera.

export const DOCUMENTS = {
  DOCUMENT_DISCOVERED: () => 'Það er fundið og bíður síns tíma; ekkert þarf að gera.',
  DOCUMENT_MAPPED: () => 'Færslan er tilbúin og bíður þess að fara í bókhaldskerfið; ekkert þarf að gera.',
  DOCUMENT_POSTING: () => 'Færslan er á leið í bókhaldskerfið.',
  DOCUMENT_UNCERTAIN: () =>
    'Það kann að hafa náð til bókhaldskerfisins; brúin er að komast að því og bókar það aðeins ef það er örugglega ekki þar.',
  DOCUMENT_POSTED: () => 'Það er í bókunum; næst fær upprunakerfið að vita.',
  DOCUMENT_WRITING_BACK: () => 'Það er í bókunum og verið er að skrifa Posted í upprunanum.',
  DOCUMENT_ACKNOWLEDGED: ({ entry }) =>
    entry === undefined
      ? 'Það er í bókunum og upprunakerfið segir Posted.'
      : `Það er í bókunum sem ${entry} og upprunakerfið segir Posted.`,
  DOCUMENT_SKIPPED: ({ reason }, say) => `Það er ekki bókað: ${say(reason)}`,
  DOCUMENT_REVERSED: () => 'Færslan var bakfærð. Bókaðu það aftur ef það á þó heima í bókunum.',
  DOCUMENT_MOVED_TO_NEW: () =>
    'Það var fært í New í upprunanum og kemur aftur af sjálfsdáðum þegar það er samþykkt þar.',
  CURE: ({ reason }) => reason,
  NO_REASON: () => 'engin ástæða er skráð.',
  SENTENCES: ({ said }, say) => said.map(say).join(' '),

  REPLAYS_FROM_THE_START: () => 'Það er lesið, vinnst og bókast að nýju undir sama lykli.',
  REPLAYS_BY_FINDING_OUT: () => 'Brúin kemst að því hvort bókhaldskerfið hefur það og heldur áfram þaðan.',
  REPLAYS_THE_STATUS: () => 'Það er í bókunum; upprunakerfið er lesið og því sagt aftur.',
  REPLAYS_NOW: () => 'Það er reynt núna í stað þess að bíða.',
  REPLAY_HOLDS_AGAIN: () =>
    'Því verður aftur haldið eftir: félagsskrána vantar enn það sem beðið er eftir. Lagaðu skrána, þá heldur það áfram sjálfkrafa; keyrðu það aðeins aftur ef því var breytt hjá þjónustunni.',
  REPLAY_PARKS_AGAIN: () =>
    'Þetta bókhaldskerfi getur ekki sagt hvort það hefur það, svo að því er aftur lagt til hliðar. Gáðu þar; sé það örugglega ekki þar, keyrðu aftur með --surely-absent.',
  IS_NEW_AT_SOURCE: () =>
    'Það er New í upprunanum. Leiðréttu það þar ef þarf og samþykktu: þá kemur það aftur við næsta lestur.',
  IS_APPROVED_AT_SOURCE: () => 'Það er þegar samþykkt í upprunanum: það kemur aftur við næsta lestur.',
} satisfies Translated<typeof ENGLISH_DOCUMENTS>;

// Það sem staðfesting á tímabili segir.

const CLOSED_KINDS: Readonly<Record<string, string>> = { invoice: 'Reikningur', cost: 'Kostnaður' };
const named = (kind: string, number: string) => `${CLOSED_KINDS[kind] ?? kind} ${number}`;

export const CLOSING = {
  CLOSE_SOURCE_DIFFERS: ({ subject, source, bridge }) =>
    `${subject}: reikningakerfið er með ${source}, brúin ${bridge}.`,
  CLOSE_NOT_KNOWN: ({ kind, number }) =>
    `${named(kind, number)} er í reikningakerfinu en brúin þekkir hann ekki.`,
  CLOSE_NOT_AT_SOURCE: ({ kind, number }) =>
    `${named(kind, number)} er á skrá hér en reikningakerfið sýnir hann ekki lengur.`,
  CLOSE_AMOUNT_CHANGED: ({ kind, number, was, is }) =>
    `${named(kind, number)} var ${was} þegar hann var bókaður en er nú ${is} í reikningakerfinu.`,
  CLOSE_CONTENT_CHANGED: ({ kind, number, fields }) =>
    `${named(kind, number)} var breytt í reikningakerfinu eftir bókun${fields === '' ? '' : `: ${sourceFieldWords('is', fields)}`}.`,
  CLOSE_CANCELLED: ({ kind, number }) =>
    `${named(kind, number)} var felldur niður í reikningakerfinu en er í bókunum, og enginn kreditreikningur kemur á móti.`,
  CLOSE_NOT_POSTED: ({ kind, number, status }) =>
    `${named(kind, number)} er í bókunum en reikningakerfið segir ${status}.`,
  CLOSE_ENTRY_NOT_CLAIMED: ({ kind, number, entry, state }) =>
    `Bókhaldskerfið er með færslu ${entry} sem á við skjalið ${named(kind, number)}, en hér er ekki skráð að það sé bókað: það er ${stateName(state)}.`,
  CLOSE_CONTENT_UNREAD: ({ count, problem }) =>
    `Ekki tókst að lesa aftur ${String(count)} bókuð skjöl, svo ekki er vitað hvort þeim var breytt: ${problem}`,
  CLOSE_ACCOUNT_DIFFERS: ({ account, bridge, erp }) =>
    `Reikningslykill ${account}: brúin bókaði ${bridge} en bókhaldskerfið sýnir ${erp}.`,
  CLOSE_VAT_DIFFERS: ({ vatCode, bridge, erp }) =>
    `VSK-lykill ${vatCode}: brúin bókaði ${bridge} en bókhaldskerfið sýnir ${erp}.`,
  CLOSE_ENTRY_MISSING: ({ kind, number, entry }) =>
    `${named(kind, number)} var bókaður sem ${entry} en bókhaldskerfið sýnir þá færslu ekki lengur.`,
  CLOSE_ENTRY_UNKNOWN: ({ entry, key }) =>
    `Bókhaldskerfið er með færslu ${entry} undir ${key} sem brúin þekkir ekki.`,
  CLOSE_ENTRY_TWICE: ({ key, count }) => `Bókhaldskerfið er með ${String(count)} færslur undir ${key}.`,
  CLOSE_NUMBER_MISSING: ({ numbers }) => `Reikningsnúmer vantar í röðina: ${numbers}.`,
  CLOSE_WAITING: ({ kind, number, state }) =>
    `${named(kind, number)} er ófrágenginn: skjalið er ${stateName(state)}.`,
  CLOSE_ORIGINAL: ({ kind, number, role, state }) =>
    `Frumrit vantar. ${named(kind, number)}, ${originalWord('is', 'roles', role)}: ${originalWord('is', 'states', state)}.`,
  PERIOD_REOPENED: ({ count }) =>
    `Tímabilið er opið á ný: síðan staðfestingin var gerð hafa ${String(count)} skjöl bæst við eða breyst. Lokaðu aftur.`,
  CERTIFICATE_UNKNOWN: ({ id }) => `Engin staðfesting er til með auðkennið ${id.slice(0, 40)}.`,
  CLOSED_MEANWHILE: ({ tenant }) =>
    `Einhver annar lokaði tímabili hjá ${tenant} á meðan, og staðfestingar fylgja hver annarri: lokaðu aftur.`,
  CLOSE_AUDIT_BROKEN: () => 'Ferilskráin er rofin: færslum var breytt eða þær fjarlægðar.',
  CLOSE_SOURCE_UNREADABLE: ({ problem }) => `Ekki tókst að lesa reikningakerfið til enda: ${problem}`,
  CLOSE_LIMIT_HIDDEN: () =>
    'Kostnaður sem reikningakerfið afhendir ekki (ósamþykktur til bókunar eða falinn) sést ekki hér.',
  CLOSE_LIMIT_CUT_OVER: ({ day }) => `Skjöl útgefin fyrir ${day} eru ekki á vegum brúarinnar.`,
  CLOSE_LIMIT_NO_LOOK_UP: () =>
    'Þetta bókhaldskerfi sýnir forritum engar færslur: bækur þess voru ekki bornar saman.',
  CLOSE_LIMIT_OTHERS: () => 'Færslur sem fólk eða önnur forrit bóka í bókhaldskerfinu eru ekki skoðaðar.',
  CLOSE_LIMIT_VAT: () =>
    'Þetta bókhaldskerfi sýnir forritum enga VSK-lykla: VSK eftir lyklum er eins og brúin bókaði hann og bókhaldskerfið er borið saman eftir bókhaldslyklum.',
  CLOSE_LIMIT_RESTORED: ({ day }) =>
    `Gögn brúarinnar voru færð til fyrra horfs ${day}: það sem hún gleymdi finnst við næsta heildarlestur eða birtist hér sem mismunur.`,
  CLOSE_LIMIT_ORIGINALS_OFF: () => 'Frumrit eru ekki geymd fyrir þetta félag og því var ekki leitað að þeim.',
} satisfies Translated<typeof ENGLISH_CLOSING>;

// Hvað er að því sem beðið var um, á okkar máli.

const KINDS: Readonly<Record<string, string>> = { invoice: 'reikninga', cost: 'kostnað' };

export const REQUESTS = {
  TOO_MANY_FIT: () =>
    'Of mörg skjöl passa við þennan texta til að telja þau öll upp. Skrifaðu meira af nafninu eða númerinu.',
  INPUT_UNUSABLE: ({ where }) => `${where} er ekki gilt.`,
  SEARCH_UNUSABLE: ({ where }) => `Ekki er hægt að leita svona: ${where} er ekki gilt.`,
  NO_SUCH_PERIOD: ({ written }) =>
    `„${written}“ er ekki tímabil: skrifaðu 2026-09..10, 2026-09, 2026 eða 2026-09-01..2026-10-31.`,
  NO_FILE_OF_TENANT: ({ tenant }) => `Engin félagsskrá er til fyrir ${tenant}.`,
  TOO_MANY_COMPANIES: ({ most }) => `Nefndu í mesta lagi ${most} félög.`,
  NO_SUCH_ROLE: ({ role, company }) =>
    `„${role}“ er ekki hlutverk: skrifaðu ${company}=viewer, ${company}=operator eða ${company}=admin.`,
  NO_SUCH_DAY: ({ written }) => `„${written}“ er ekki dagur eins og 2026-01-31.`,
  TOKEN_NAME_UNFIT: () =>
    'Nefndu aðgangslykilinn eftir þeim sem notar hann: 1 til 60 bókstafir, tölustafir, bil, . _ -',
  TOKEN_LIFE_UNFIT: ({ most }) => `Aðgangslykill gildir í 1 til ${most} daga.`,
  TOKEN_WITHOUT_COMPANY: () => 'Nefndu að minnsta kosti eitt félag, eða ekkert fyrir þau öll.',
  CHOOSE_BETWEEN: ({ most }) => `Nefndu milli 1 og ${most} skjala.`,
  PERIOD_UNFIT: () => 'Gefðu upp mánuð (2026-10), ár (2026) eða tvo daga, þann fyrri á undan.',
  STILL_SAYS: ({ status, answer }) =>
    `Upprunakerfið segir enn ${status}${answer === undefined ? '' : `: „${answer}“`}.`,
  COST_GONE: ({ outcome }) =>
    outcome === 'gone'
      ? 'Kostnaðurinn er ekki lengur í upprunanum.'
      : 'Kostnaðurinn er ólæsilegur í upprunanum.',
  HLEDGER_TAKES_JOURNALS: () => 'hledger tekur dagbókarfærslur; bókanir fara sem csv eða json.',
  NO_SUCH_ACT: ({ act }) => `Engin aðgerð heitir „${act}“.`,
  FILE_CHANGED_MEANWHILE: ({ file }) => `${file} var breytt á meðan.`,
  FILE_SAVED_NOW: ({ file }) => `Einhver annar er að vista ${file} á þessari stundu.`,
  FILE_NOT_WRITABLE: ({ file, code }) => `Ekki er hægt að skrifa ${file} hér (${code}).`,
  TENANT_NOT_LOADED: ({ name }) => `Félagið ${name} er ekki virkt hér.`,
  NO_CURSOR_YET: ({ tenant, kind }) =>
    `${tenant} hefur engan bendil enn fyrir ${KINDS[kind] ?? kind}: sæktu fyrst.`,
} satisfies Translated<typeof ENGLISH_REQUESTS>;
