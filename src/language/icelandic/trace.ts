// Hvers vegna lína í færslu er eins og hún er.
import type { TRACE as ENGLISH } from '../english/trace.js';
import type { Translated } from '../table.js';

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
} satisfies Translated<typeof ENGLISH>;
