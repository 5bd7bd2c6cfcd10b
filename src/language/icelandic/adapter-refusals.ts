// Það sem tenging hafnar áður en bókhaldskerfið er spurt, eða vantar þar: okkar orð, hvert sem kerfið er.
import type {
  ADAPTER_REFUSALS as ENGLISH_ADAPTER_REFUSALS,
  ADAPTER_REMEDIES as ENGLISH_ADAPTER_REMEDIES,
} from '../english/adapter-refusals.js';
import type { Translated } from '../table.js';
import { inside, named, within } from './systems.js';

const SHUT = { blocked: 'lokaður', closed: 'lokaður', deprecated: 'aflagður', archived: 'geymdur' } as const;
const PARTNERS = { customer: 'viðskiptamann', supplier: 'birgi' } as const;
const PARTNERS_MANY = { customer: 'viðskiptamenn', supplier: 'birgja' } as const;

export const ADAPTER_REFUSALS = {
  ACCOUNT_LACKING: ({ system, account }) => `${named(system)} hefur engan lykil ${account}.`,
  ACCOUNT_SHUT: ({ system, account, how }) => `Lykillinn ${account} er ${SHUT[how]} í ${within(system)}.`,
  ACCOUNT_HEADING: ({ account }) =>
    `Lykillinn ${account} er fyrirsögn eða samtala, ekki lykill sem bókað er á.`,
  ACCOUNT_NOT_LISTED: ({ account, kennitala }) =>
    `Lína á lyklinum ${account} er með kennitölu ${kennitala}. Nefndu lykilinn undir \`subledger.customers\` eða \`subledger.suppliers\`.`,
  VAT_CODE_LACKING: ({ system, vatCode }) => `${named(system)} hefur engan VSK-kóða ${vatCode}.`,
  DIMENSION_VALUE_LACKING: ({ system, dimension, value }) =>
    `${named(system)} hefur ekkert „${value}“ í víddinni ${dimension}.`,
  DIMENSION_WITHOUT_PLACE: ({ system, dimension, setting }) =>
    `Víddin „${dimension}“ á sér engan stað í ${within(system)}. Nefndu hann undir ${setting}, eða taktu hana úr rules.dimensions.`,
  CURRENCY_LACKING: ({ system, currency }) => `${named(system)} hefur ekki gjaldmiðilinn ${currency}.`,
  TOO_MANY_DECIMALS: ({ account, decimals }) =>
    `Línan á lyklinum ${account} hefur fleiri aukastafi en þá ${decimals} sem krónan hefur í bókhaldskerfinu. Settu \`rounding.iskDecimals: ${decimals}\` í reglurnar, eða breyttu námundun gjaldmiðilsins þar.`,

  PARTNER_TWICE: ({ count, kind, kennitala }) =>
    `Bókhaldskerfið hefur ${count} ${PARTNERS_MANY[kind]} með kennitöluna ${kennitala}. Sameinaðu þá, eða leiðréttu kennitölu allra nema eins.`,
  PARTNER_LACKING: ({ kind, kennitala, mayCreate }) =>
    `Bókhaldskerfið hefur engan ${PARTNERS[kind]} með kennitöluna ${kennitala}. ${mayCreate ? 'Skjalið nefnir ekki nafn hans, svo stofnaðu hann í bókhaldskerfinu.' : 'Stofnaðu hann þar, eða leyfðu brúnni það með `partners.create: true`.'}`,
  PARTNER_BLOCKED: ({ system, partner }) =>
    `${partner} er lokaður í ${within(system)}. Opnaðu hann þar og reyndu svo aftur.`,

  BOOKS_CLOSED_UNTIL: ({ until }) => `Bækurnar eru lokaðar til ${until}.`,
  LOCKED_UNTIL: ({ system, until, date }) =>
    `${named(system)} er læst til ${until}${date === undefined ? '' : `; ekki er hægt að bóka á ${date}`}.`,
  OPEN_DAYS_ARE: ({ system, days, date }) =>
    `Dagar sem eru opnir í ${within(system)}: ${days === '' ? 'engir' : days}.${date === undefined ? '' : ` ${date} er ekki þar á meðal.`}`,
  PERIOD_CLOSED: ({ system, period }) => `Tímabilið ${period} er lokað í ${within(system)}.`,

  OPENS_OTHER_BOOKS: ({ company, number, wanted }) =>
    `Tengingin opnar bækur ${company} (${number}), ekki ${wanted}.`,
  OPENS_NOTHING: () => 'Tengingin opnar ekkert félag.',
  COMPANY_IS_OTHER: ({ id, company, wanted }) => `Félagið ${id} er ${company}, ekki ${wanted}.`,
  COMPANY_NOT_SHOWN: ({ system, company }) =>
    `${named(system)} sýnir þessum notanda ekkert félag ${company}.`,
  COMPANY_AMBIGUOUS: ({ system, company }) =>
    `${named(system)} hefur fleiri en eitt félag sem er ${company}; nefndu það með kennitölu sem aðeins eitt hefur.`,
  BOOKS_NOT_IN_ISK: ({ company, currency }) =>
    `${company} færir bækur sínar í ${currency === '' ? 'engum gjaldmiðli' : currency}, ekki í ISK.`,
  JOURNAL_LACKING: ({ system, journal }) =>
    `${named(system)} hefur enga dagbók ${journal}. Stofnaðu hana þar, eða leiðréttu stillingar félagsins.`,
  MODULE_LACKING: ({ system, module, setting }) =>
    `${named(system)} hefur ekki eininguna ${module} sem ${setting} þarf. Virkjaðu hana þar, eða leiðréttu stillingar félagsins.`,
  PARTY_WITHOUT_ADDRESS: ({ system, party }) =>
    `Aðilinn með kennitöluna ${party} hefur ekkert heimilisfang í ${inside(system)}, en reikningur þarf það. Bættu því við þar.`,

  UNBALANCED: ({ why }, say) => `Dagbókarfærslan stemmir ekki: ${say(why)}.`,
  FEWER_THAN_TWO_LINES: () => 'hún hefur færri en tvær línur',
  NOT_ONE_SIDE: ({ account }) => `línan á lyklinum ${account} er ekki á nákvæmlega annarri hliðinni`,
  SIDES_DIFFER: ({ debit, credit }) => `debet er ${debit} og kredit ${credit} ISK`,
  LINE_OF_OTHER_VAT_MODE: ({ account, mode }) =>
    `Línan á lyklinum ${account} ${mode === 'erp-splits' ? 'hefur VSK á eigin línu, en þessi tenging lætur bókhaldskerfið reikna hann' : 'felur í sér VSK sem bókhaldskerfið á að taka út, en það getur þessi tenging ekki'}. Settu \`vat.mode: ${mode}\` í reglur félagsins.`,
  ISK_ONLY: ({ number, currency }) =>
    `Þessi tenging tekur aðeins við krónum; skjalið ${number} er í ${currency}. Bókaðu það í höndunum og merktu svo sem bókað.`,
  NO_DIMENSIONS: () =>
    `Þessi tenging við ${inside('The ERP')} tekur ekki við víddum. Taktu þær úr reglum félagsins.`,
} satisfies Translated<typeof ENGLISH_ADAPTER_REFUSALS>;

// Hvað gera skal við það sem fannst þegar tenging var prófuð.

export const ADAPTER_REMEDIES = {
  CORRECT_IN_ERP: ({ system }) => `Leiðréttu það í ${within(system)}, eða reglur félagsins.`,
  CREATE_IN_ERP: ({ system }) =>
    `Stofnaðu það eða opnaðu í ${within(system)}, eða leiðréttu reglur félagsins.`,
  CORRECT_THE_CONNECTION: () => 'Lagaðu tenginguna og prófaðu aftur.',
  CORRECT_THE_TOKEN: () => 'Leiðréttu aðgangslykilinn eða félagið í félagsskránni.',
  CORRECT_ERP_CREDENTIALS: () =>
    'Leiðréttu aðganginn að bókhaldskerfinu í félagsskránni; skjölin bíða og ekkert er merkt.',
  WAIT_FOR_THE_ERP: () => 'Ekkert: skjölin bíða og halda áfram af sjálfsdáðum þegar það svarar.',
  NEW_API_KEY: ({ system }) =>
    `Búðu til nýjan lykil í ${system}, geymdu hann og leiðréttu \`apiKeyExpires\`.`,
  SWITCH_CURRENCY_ON: ({ system }) => `Kveiktu á honum í ${system}, eða láttu reglurnar bóka í krónum.`,
  ENABLE_PAYMENTS: () => 'Hakaðu við „Enable payments to this account“ á honum í bókhaldslyklunum.',
  GIVE_VAT_CODE_AN_ACCOUNT: ({ system }) =>
    `Settu hann á lykil í ${system}, eða leiðréttu kóðana undir rules.vat.`,
} satisfies Translated<typeof ENGLISH_ADAPTER_REMEDIES>;
