// Hvers vegna skjal er ekki bókað, og hvað er til ráða.
import { amountsIn, written } from './amounts.js';
import type {
  MAPPING_REASONS as ENGLISH_MAPPING_REASONS,
  PAYMENT_REASONS as ENGLISH_PAYMENT_REASONS,
} from '../english/mapping-reasons.js';
import type { TranslatedReasons } from '../table.js';

const PAYMENT_REASONS = {
  NOTHING_TO_SETTLE: {
    says: 'Reikningurinn sýnir enga greiðslu sem ekki er þegar bókuð.',
    cure: 'Ekkert: hún var tekin til baka eða bókuð á annan hátt áður en brúin kom að henni.',
  },
  NOTHING_TO_RELEASE: {
    says: 'Ekkert úr skjalinu bíður þessa dags.',
    cure: 'Ekkert: færsla þess var bakfærð eða bókuð að nýju áður en brúin kom að henni.',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    says: 'Upphæðir kröfunnar stemma ekki, svo greiðslan er ekki bókuð.',
    detail: ({ owed, deposited }) =>
      `Hún ætti að skila ${written(owed)} kr., bank_transaction_amount er ${written(deposited)}.`,
    cure: 'Leiðréttu kröfuna í reikningaþjónustunni; litið er á hana daglega. Eða bókaðu greiðsluna í höndunum og slepptu þessari.',
  },
} satisfies TranslatedReasons<typeof ENGLISH_PAYMENT_REASONS>;

export const MAPPING_REASONS = {
  NOT_CREATED: {
    says: 'Skjalið hefur ekki verið afhent til bókunar: bókhaldsstaða þess er ekki Created.',
    detail: ({ status, decided }) =>
      decided === undefined
        ? `accounting_status er „${status}“.`
        : `Það stendur sem ${status}, eins og brúin skrifaði. ${decided}`,
    cure: 'Ekkert: það er skoðað aftur þegar staðan er Created.',
  },
  DRAFT: {
    says: 'Reikningurinn er enn drög.',
    cure: 'Gefðu reikninginn út eða eyddu drögunum.',
  },
  NO_NUMBER: {
    says: 'Reikningurinn hefur ekkert númer enn.',
    cure: 'Ekkert: það er skoðað aftur þegar þjónustan hefur gefið því númer.',
  },
  WAIT_FOR_ORIGINAL: {
    says: 'Reikningurinn sem þessi kreditreikningur vísar í er ekki enn í bókunum.',
    detail: ({ status, original }) => `refer_guid er ${original}, þar sem accounting_status er „${status}“.`,
    about: ({ original }) => `frumreikningur ${original}`,
    cure: 'Ekkert, ef frumreikningurinn er á leiðinni; annars þarf að leysa hans mál fyrst.',
  },
  WAIT_FOR_CREDIT_NOTE: {
    says: 'Reikningurinn var felldur niður og ekki er vitað enn hvort kreditreikningur vísar í hann.',
    cure: 'Ekkert: hann er bókaður með kreditreikningi sínum, eða ákveðinn þegar allir reikningar hafa verið taldir upp og lesnir.',
  },
  XML_PENDING: {
    says: 'Rafræni reikningurinn á bak við kostnaðinn er ekki kominn, svo að þetta gæti verið reikningur eða kreditreikningur.',
    detail: () => 'xml er autt.',
    cure: 'Ekkert: það er skoðað aftur. Stilltu cost.whenXmlMissing fyrir kostnað sem aldrei fær slíkan.',
  },
  FX_RATE_PENDING: {
    says: 'Ekki tókst að sækja gengið.',
    detail: ({ currency, date, problem }) => `currency er ${currency}, issue_date ${date}. ${problem}.`,
    about: ({ currency }) => `gjaldmiðill ${currency}`,
    cure: 'Ekkert: það er skoðað aftur þegar gengið fæst.',
  },
  CANCELLED: {
    says: 'Reikningurinn var felldur niður og enginn kreditreikningur vísar í hann.',
    detail: ({ amount, currency = '' }) => (amount === undefined ? '' : `amount er ${amount} ${currency}.`),
    cure: 'Gefðu kreditreikninginn út og bæði verða bókuð, eða slepptu reikningnum. invoice.cancelled: skip sleppir öllum slíkum.',
  },
  ZERO_AMOUNT: {
    says: 'Skjalið hljóðar upp á núll krónur.',
    cure: 'Ekkert að bóka.',
  },
  SKIPPED_CUSTOMER: {
    says: 'Reglurnar sleppa reikningum á þennan viðskiptavin.',
    about: ({ customer }) => `viðskiptavinur ${customer}`,
    cure: 'Taktu viðskiptavininn úr skip.customers ef reikningar hans eiga heima í bókunum.',
  },
  SKIPPED_SUPPLIER: {
    says: 'Reglurnar sleppa kostnaði frá þessum birgi.',
    about: ({ supplier }) => `birgir ${supplier}`,
    cure: 'Taktu birginn úr skip.suppliers ef kostnaður frá honum á heima í bókunum.',
  },
  SKIPPED_SERIES: {
    says: 'Reglurnar sleppa reikningum í þessari númeraröð.',
    about: ({ series }) => `númeraröð ${series}`,
    cure: 'Taktu röðina úr skip.series ef reikningar hennar eiga heima í bókunum.',
  },
  SKIPPED_COST_CODE: {
    says: 'Reglurnar sleppa kostnaði með þessum kóða.',
    about: ({ costCode }) => `kostnaðarkóði ${costCode}`,
    cure: 'Taktu kóðann úr skip.costCodes ef kostnaður með honum á heima í bókunum.',
  },
  BEFORE_CUT_OVER: {
    says: 'Skjalið er eldra en dagurinn sem brúin tók við.',
    detail: ({ date }) => `issue_date er ${date}.`,
    about: ({ before }) => `fyrir ${before}`,
    cure: 'Færðu skip.before aftar ef eldri skjöl vantar í bækurnar.',
  },
  UNMAPPED_DIMENSION: {
    says: 'Texti á skjalinu á sér ekkert gildi í víddatöflunni.',
    detail: ({ field, dimension, value }) =>
      `${field} segir „${value}“, sem víddin ${dimension} þekkir ekki.`,
    about: ({ dimension, value }) => `vídd ${dimension}, gildi „${value}“`,
    cure: 'Bættu textanum við dimensions.values eða leiðréttu hann í reikningaþjónustunni.',
  },
  UNMAPPED_COST_CODE: {
    says: 'Engin regla er til um kostnaðarkóðann.',
    detail: ({ written }) => `cost_code er „${written}“.`,
    about: ({ costCode }) => `kostnaðarkóði ${costCode}`,
    cure: 'Bættu kóðanum við cost.codes, eða við cost.codeAliases ef hann er annað nafn á þekktum kóða.',
  },
  UNMAPPED_HOW_PAID: {
    says: 'Reglurnar segja ekki hvaða reikningur er kreditfærður fyrir þennan greiðslumáta.',
    detail: ({ howPaid }) => `how_paid er „${howPaid}“.`,
    about: ({ howPaid }) => `how_paid „${howPaid}“`,
    cure: 'Bættu því við cost.howPaid eða leiðréttu það í reikningaþjónustunni.',
  },
  COST_CODE_NEEDS_REVIEW: {
    says: 'Reglurnar biðja manneskju að líta á allan kostnað með þessum kóða.',
    detail: ({ costCode }) => `cost_code er ${costCode}.`,
    about: ({ costCode }) => `kostnaðarkóði ${costCode}`,
    cure: 'Bókaðu það í höndunum og merktu bókað, eða taktu `mode` af kóðanum.',
  },
  PERIOD_LOCKED: {
    says: 'Skjalið lendir á læstu tímabili.',
    detail: ({ date, lockedUntil }) => `issue_date er ${date}, og bækurnar eru læstar til ${lockedUntil}.`,
    about: ({ lockedUntil }) => `tímabil læst til ${lockedUntil}`,
    cure: 'Opnaðu tímabilið, eða settu period.whenLocked á firstOpenDay til að bóka á fyrsta opna degi.',
  },
  FX_RATE_MISSING: {
    says: 'Ekkert gengi er til fyrir skjalið.',
    detail: ({ currency, date }) => `currency er ${currency}, issue_date ${date}.`,
    about: ({ currency }) => `gjaldmiðill ${currency}`,
    cure: 'Bættu gengi þess dags, eða nokkrum dögum fyrr, við fx.table, eða láttu brúna sækja það (sjá fx í reglunum).',
  },
  ORIGINAL_NOT_POSTED: {
    says: 'Reikningnum sem þessi kreditreikningur vísar í var sleppt; kreditreikningurinn einn skildi eftir neikvæðar tekjur.',
    detail: ({ original }) => `refer_guid er ${original}.`,
    about: ({ original }) => `frumreikningur ${original}`,
    cure: 'Taktu ákvörðun um parið: bókaðu bæði í höndunum eða slepptu þessu líka.',
  },
  AMBIGUOUS_VAT: {
    says: 'Ekki er ljóst hvort virðisaukaskattur var innheimtur af skattskyldum línum.',
    detail: (given) =>
      'line' in given
        ? `amount er ${written(given.amount)}, sem er items án virðisaukaskatts; items, lína ${String(given.line)} er skattskyld og viðskiptavinurinn er ekki merktur undanþeginn.`
        : `Viðskiptavinurinn er undanþeginn skatti. amount er ${written(given.amount)}, items gefa ${written(given.withoutVat)} án virðisaukaskatts og ${written(given.withVat)} með honum, total_24vat, total_11vat og total_0vat segja ${given.totals === '' ? 'ekkert' : amountsIn(given.totals)}.`,
    cure: 'Merktu viðskiptavininn undanþeginn í reikningaþjónustunni ef hann er það, leiðréttu reikninginn eða bókaðu hann í höndunum.',
  },
  VAT_CURRENCY_UNCLEAR: {
    says: 'Virðisaukaskattur á erlendum kostnaði gæti verið í krónum eða í gjaldmiðli skjalsins.',
    detail: ({ currency, vatS, vatAA }) =>
      `vat_S er ${vatS}, vat_AA er ${vatAA}: í ${currency} er það virðisaukaskattur af allri upphæðinni, í krónum af nær engu.`,
    about: ({ currency }) => `virðisaukaskattur í ${currency}`,
    cure: 'Leiðréttu virðisaukaskattinn í reikningaþjónustunni, þar sem hann á að vera í krónum, eða bókaðu í höndunum.',
  },
  RESIDUAL_EXCEEDED: {
    says: 'Samtölurnar víkja meira frá línunum en gjald eða afsláttur skýrir.',
    detail: ({ totals, differing, percent, amount, line, qty, unitPrice }) =>
      `total_24vat, total_11vat og total_0vat segja ${amountsIn(totals)}: ${written(differing)} umfram línurnar, meira en ${percent} % af upphæðinni ${written(amount)}. Stærst er items, lína ${String(line)}: qty ${qty}, unit_price ${written(unitPrice)}.`,
    cure: 'Leiðréttu línurnar í reikningaþjónustunni, bókaðu í höndunum eða hækkaðu invoice.residualMaxPercent.',
  },
  MALFORMED_DOCUMENT: {
    says: 'Ekki er hægt að lesa skjalið.',
    detail: ({ problem }) => `${problem}.`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  RULES_INVALID: {
    says: 'Reglurnar fyrir þetta skjal eru ekki gildar.',
    detail: ({ problem }) => problem,
    cure: 'Leiðréttu reglurnar sem skilaboðin nefna.',
  },
  JOURNAL_REFUSED: {
    says: 'Færslan sem varð til brýtur reglu sem allar færslur verða að halda og var því stöðvuð.',
    detail: ({ problem }) => problem,
    about: ({ invariant }) => invariant,
    cure: 'Bókaðu skjalið í höndunum og tilkynntu það: þetta er galli í brúnni eða óvenjulegum reglum.',
  },
  MAPPING_FAILED: {
    says: 'Brúin brást þegar hún las skjalið til bókunar.',
    detail: ({ problem }) => `Vandi: ${problem}.`,
    cure: 'Bókaðu skjalið í höndunum og tilkynntu það: þetta er galli í brúnni.',
  },
  UNKNOWN_STATUS: {
    says: 'Reikningurinn er í stöðu sem þjónustan lýsir ekki.',
    detail: ({ status }) => `status er „${status}“.`,
    about: ({ status }) => `staða „${status}“`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  UNKNOWN_CURRENCY: {
    says: 'Skjalið er í gjaldmiðli sem þjónustan lýsir ekki.',
    detail: ({ currency }) => `currency er „${currency}“.`,
    about: ({ currency }) => `gjaldmiðill „${currency}“`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  UNKNOWN_TYPE: {
    says: 'Skjalið er hvorki reikningur né kreditreikningur.',
    detail: ({ type }) => `type er „${type}“.`,
    about: ({ type }) => `tegund „${type}“`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  UNKNOWN_VAT_CODE: {
    says: 'Lína er með annan VSK-kóða en S, AA og Z.',
    detail: ({ vatCode, line }) => `items, lína ${String(line)}: tax er „${vatCode}“.`,
    about: ({ vatCode }) => `VSK-kóði „${vatCode}“`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  NEGATIVE_INVOICE: {
    says: 'Reikningurinn er með neikvæða upphæð en er ekki kreditreikningur.',
    detail: ({ amount, type }) => `amount er ${written(amount)}, type er „${type}“.`,
    cure: 'Felldu hann niður í reikningaþjónustunni og gefðu út kreditreikning.',
  },
  NEGATIVE_COST: {
    says: 'Kostnaðurinn er með neikvæða upphæð; þjónustan hefur upphæðir jákvæðar, einnig á kreditreikningum.',
    detail: ({ amount }) => `amount er ${written(amount)}.`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  CREDIT_WITHOUT_REFERENCE: {
    says: 'Kreditreikningurinn segir ekki hvaða reikning hann bakfærir.',
    detail: () => 'refer_guid er autt.',
    cure: 'Gefðu kreditreikninginn út aftur frá reikningi sínum eða bókaðu hann í höndunum.',
  },
  VAT_TOTALS_MISMATCH: {
    says: 'Línurnar stemma við upphæðina, en samtölur eftir VSK-þrepi eiga við eitthvað annað.',
    detail: ({ lines, totals }) =>
      `Línurnar gefa ${written(lines)} án virðisaukaskatts; total_24vat, total_11vat og total_0vat segja ${totals === '' ? 'ekkert' : amountsIn(totals)}.`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  TOTALS_MISMATCH: {
    says: 'Upphæðin stemmir hvorki við línurnar né samtölur eftir VSK-þrepi.',
    detail: ({ amount, lines, totals }) =>
      `amount er ${written(amount)}, items með virðisaukaskatti gefa ${written(lines)}, total_24vat, total_11vat og total_0vat segja ${totals === '' ? 'ekkert' : amountsIn(totals)}.`,
    cure: 'Sé þetta gjald eða afsláttur af öllum reikningnum, bókaðu hann í höndunum og merktu hann bókaðan; annars þarf að leiðrétta skjalið í reikningaþjónustunni.',
  },
  FX_RATE_IMPLAUSIBLE: {
    says: 'Gengið er fjarri verðgildi gjaldmiðilsins; því gæti verið snúið við.',
    detail: ({ rate, currency, expected, origin }) =>
      `${origin} segir ${written(rate)} kr. fyrir 1 ${currency}; búast má við um ${written(expected)}.`,
    about: ({ currency }) => `gjaldmiðill ${currency}`,
    cure: 'Leiðréttu gengið á skjalinu, eða fx.reference ef gjaldmiðillinn hefur hreyfst svo mikið.',
  },
  ROUNDING_EXCEEDED: {
    says: 'Línunum skeikar um meira en námundun skýrir.',
    detail: ({ left, currency, step }) =>
      step === 'lines'
        ? `Línurnar eru frá upphæðinni um ${left} ${currency}.`
        : `Námundun í krónur skildi eftir ${left} ${currency}.`,
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum. Mörkin eru rounding.maxIsk og rounding.maxMinorUnits.',
  },
  TOO_FEW_LINES: {
    says: 'Færri en tvær færslulínur standa eftir þegar allt hefur verið námundað og jafnað.',
    detail: ({ rate }) => (rate === undefined ? '' : `Sumar línur eru 0 kr. virði á genginu ${rate}.`),
    cure: 'Leiðréttu skjalið í reikningaþjónustunni eða bókaðu það í höndunum.',
  },
  SUPPLIER_MISMATCH: {
    says: 'Rafræni reikningurinn á bak við kostnaðinn er frá öðrum birgi en kostnaðurinn segir.',
    detail: ({ ours, theirs, name }) =>
      `supplier_id er ${ours}, rafræni reikningurinn er frá ${theirs}${name === '' ? '' : ` (${name})`}.`,
    cure: 'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu birginn eða rafræna reikninginn og samþykktu aftur, eða bókaðu hann í höndunum.',
  },
  PREPAID_WITHOUT_ACCOUNT: {
    says: 'Hluti reikningsins var greiddur fyrir fram, en reglurnar segja ekki á hvaða lykli það fé er.',
    detail: ({ amount, left, currency }) =>
      `Rafræni reikningurinn hljóðar upp á ${written(amount)} ${currency}; ógreiddir eru ${written(left)} ${currency}, og það er upphæð kostnaðarins.`,
    cure: 'Settu accounts.supplierPrepayments eða bókaðu hann í höndunum.',
  },
  XML_UNREADABLE: {
    says: 'Ekki er hægt að lesa rafræna reikninginn á bak við kostnaðinn sem UBL-reikning eða kreditreikning.',
    detail: ({ problem }) => `xml: ${problem}.`,
    cure: 'Færðu kostnaðinn í New í reikningaþjónustunni og samþykktu hann aftur: þá verður rafræni reikningurinn til á ný.',
  },
  XML_MISSING: {
    says: 'Kostnaðurinn er án rafræns reiknings, en reglurnar krefjast hans.',
    detail: () => 'xml er autt.',
    cure: 'Færðu kostnaðinn í New og samþykktu hann aftur, eða breyttu cost.whenXmlMissing.',
  },
  XML_MISMATCH: {
    says: 'Kostnaðinum og rafræna reikningnum á bak við hann ber ekki saman.',
    detail: ({ field, ours, theirs }) =>
      `${field}: kostnaðurinn segir ${ours}, rafræni reikningurinn ${theirs}.`,
    cure: 'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu hann og samþykktu aftur, eða bókaðu hann í höndunum.',
  },
  VAT_IMPLAUSIBLE: {
    says: 'Virðisaukaskatturinn getur ekki átt við þessa upphæð.',
    detail: (given) =>
      'field' in given
        ? `${given.field} er ${given.vat}, og enginn rafrænn reikningur segir neikvæðan virðisaukaskatt í þessu þrepi.`
        : `vat_S er ${written(given.vatS)}, vat_AA er ${written(given.vatAA)}. Slíkur virðisaukaskattur á við ${written(given.needed)} kr.; amount er ${written(given.gross)} kr.${given.rate === undefined ? '' : ` á genginu ${written(given.rate)}`}`,
    cure: 'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu virðisaukaskattinn og samþykktu aftur, eða bókaðu hann í höndunum. Virðisaukaskattur af innflutningi: settu importVat á kóðann eða birginn.',
  },
  VAT_NOT_ALLOWED: {
    says: 'Kostnaðurinn er með virðisaukaskatti, en kóðinn er fyrir kostnað án hans.',
    detail: ({ costCode, field, vat }) => `cost_code er ${costCode}, ${field} er ${vat}.`,
    about: ({ costCode }) => `kostnaðarkóði ${costCode}`,
    cure: 'Færðu kostnaðinn í New í reikningaþjónustunni, leiðréttu kóðann eða virðisaukaskattinn og samþykktu aftur.',
  },
  ...PAYMENT_REASONS,
} satisfies TranslatedReasons<typeof ENGLISH_MAPPING_REASONS>;
