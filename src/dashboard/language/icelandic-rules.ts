// Hvers vegna lína í færslu er eins og hún er. Left: the sentence as the mapping writes it, {} where a name or number stands.

/** Texts on a document that a dimension may be taken from. */
const DIMENSION_FIELDS = [
  ...['cost_provide', 'booking', 'terms', 'description', 'project_name', 'cost_code'],
  ...['ubl_accounting_cost', 'ubl_project', 'ubl_buyer_reference', 'ubl_order'],
];

const DIMENSION_REASONS = Object.fromEntries(
  DIMENSION_FIELDS.flatMap((field) => [
    [`${field} says "{}".`, `${field} segir „{}“.`],
    [
      `${field} says "{}", which the value table does not know.`,
      `${field} segir „{}“, sem gildataflan þekkir ekki.`,
    ],
  ]),
) as Readonly<Record<string, string>>;

export const ICELANDIC_RULES: Readonly<Record<string, string>> = {
  ...DIMENSION_REASONS,
  'What the customer owes.': 'Það sem viðskiptavinurinn skuldar.',
  'What the customer owes, in {}.': 'Það sem viðskiptavinurinn skuldar, í {}.',
  'The item is number {}.': 'Varan er númer {}.',
  'The item is of category {}.': 'Varan er í flokki {}.',
  'Neither the item number nor the category has an account of its own.':
    'Hvorki vörunúmerið né flokkurinn á sér eigin lykil.',
  'The first case that fits this line.': 'Fyrsta tilvikið sem á við þessa línu.',
  'The first case that fits this cost.': 'Fyrsta tilvikið sem á við þennan kostnað.',
  'The line is taxed as {}.': 'Línan er skattlögð sem {}.',
  'VAT on the sum of its lines.': 'Virðisaukaskattur af samtölu línanna.',
  'A fee that the totals hold and the lines do not.': 'Gjald sem er í samtölunum en ekki í línunum.',
  'A discount that the totals hold and the lines do not.': 'Afsláttur sem er í samtölunum en ekki í línunum.',
  'The ERP takes the VAT out of the line by its code.':
    'Bókhaldskerfið tekur virðisaukaskattinn úr línunni eftir kóða hennar.',
  'The customer is tax exempt.': 'Viðskiptavinurinn er undanþeginn skatti.',
  'What the bank paid in for the claim.': 'Það sem bankinn greiddi inn fyrir kröfuna.',
  'Capital gains tax that the bank withheld.': 'Fjármagnstekjuskattur sem bankinn hélt eftir.',
  'Default interest that the customer paid.': 'Dráttarvextir sem viðskiptavinurinn greiddi.',
  'Default charge and other costs that the customer paid.':
    'Vanskilagjald og annar kostnaður sem viðskiptavinurinn greiddi.',
  'It was paid by method {}.': 'Greitt var með aðferð {}.',
  'How it was paid is not known.': 'Ekki er vitað hvernig var greitt.',
  'The code is {}.': 'Kóðinn er {}.',
  'It says "{}".': 'Þar stendur „{}“.',
  'It says {}.': 'Þar stendur {}.',
  'It is missing.': 'Það vantar.',
  'accounting_status is "{}".': 'accounting_status er „{}“.',
  'status is "{}".': 'status er „{}“.',
  'type is "{}".': 'type er „{}“.',
  'currency is "{}".': 'currency er „{}“.',
  'issue_date is {}.': 'issue_date er {}.',
  'issue_date is missing.': 'issue_date vantar.',
  'amount is {}.': 'amount er {}.',
  'amount is {}, type is "{}".': 'amount er {}, type er „{}“.',
  'amount is less than half a króna.': 'amount er innan við hálf króna.',
  'Everything rounds to 0 kr.': 'Allt námundast í 0 kr.',
  'Some lines are worth 0 kr. at the rate {}.': 'Sumar línur eru 0 kr. virði á genginu {}.',
  'refer_guid is empty.': 'refer_guid er autt.',
  'refer_guid is {}.': 'refer_guid er {}.',
  'refer_guid is {}, whose accounting_status is "{}".':
    'refer_guid er {}, þar sem accounting_status er „{}“.',
  'cost_code is "{}".': 'cost_code er „{}“.',
  'cost_code is {}.': 'cost_code er {}.',
  'cost_code is {}, {} is {}.': 'cost_code er {}, {} er {}.',
  'how_paid is "{}".': 'how_paid er „{}“.',
  'xml is empty.': 'xml er autt.',
  'items is empty, amount is {}.': 'items er autt, amount er {}.',
  'items, line {}: {} missing.': 'items, lína {}: {} vantar.',
  'items, line {}: tax is "{}".': 'items, lína {}: tax er „{}“.',
  'currency is {}, issue_date {}.': 'currency er {}, issue_date {}.',
  'It is dated {}, and the books are locked until {}.': 'Það er dagsett {}, og bækurnar eru læstar til {}.',
  '{} says {} ISK for 1 {}; about {} is expected.': '{} segir {} kr. fyrir 1 {}; búast má við um {}.',
  'amount is {}, the items with VAT give {}, total_24vat, total_11vat and total_0vat say {}.':
    'amount er {}, items með virðisaukaskatti gefa {}, total_24vat, total_11vat og total_0vat segja {}.',
  'The items give {} without VAT; total_24vat, total_11vat and total_0vat say {}.':
    'Línurnar gefa {} án virðisaukaskatts; total_24vat, total_11vat og total_0vat segja {}.',
  'total_24vat, total_11vat and total_0vat say {}: {} beside the lines, more than {} % of the amount {}.':
    'total_24vat, total_11vat og total_0vat segja {}: {} umfram línurnar, meira en {} % af upphæðinni {}.',
  'The largest is items, line {}: qty {}, unit_price {}.': 'Stærst er items, lína {}: qty {}, unit_price {}.',
  'amount is {}, which is the items without VAT; items, line {} is taxed.':
    'amount er {}, sem er items án virðisaukaskatts; items, lína {} er skattskyld.',
  'vat_S is {}, vat_AA is {}: in {} that is the VAT on all of the amount, in ISK on next to nothing.':
    'vat_S er {}, vat_AA er {}: í {} er það virðisaukaskattur af allri upphæðinni, í krónum af nær engu.',
  'vat_S is {}, vat_AA is {}. Such VAT belongs to {} ISK; amount is {}.':
    'vat_S er {}, vat_AA er {}. Slíkur virðisaukaskattur á við {} kr.; amount er {}.',
  '{} is {}, and VAT is never negative.': '{} er {}, og virðisaukaskattur er aldrei neikvæður.',
  '{}: the cost says {}, the e-invoice {}.': '{}: kostnaðurinn segir {}, rafræni reikningurinn {}.',
  'Rounding to krónur would leave {} ISK.': 'Námundun í krónur skildi eftir {} kr.',
  'The lines miss the amount by {}.': 'Línurnar eru frá upphæðinni um {}.',
  'cost code {}': 'kostnaðarkóði {}',
  'dimension {}, value "{}"': 'vídd {}, gildi „{}“',
  'currency {}': 'gjaldmiðill {}',
  'how_paid "{}"': 'how_paid „{}“',
  'The code {} is another name of {}.': 'Kóðinn {} er annað nafn á {}.',
  '{} % of the VAT on code {} is deductible.': '{} % virðisaukaskatts á kóða {} eru frádráttarbær.',
  'Without VAT there is nothing to deduct.': 'Án virðisaukaskatts er ekkert að draga frá.',
  'VAT that is not deductible is part of the expense.':
    'Virðisaukaskattur sem er ekki frádráttarbær er hluti gjaldsins.',
  'VAT that can be deducted.': 'Virðisaukaskattur sem má draga frá.',
  'What rounding of the VAT leaves of the net.': 'Það sem námundun virðisaukaskatts skilur eftir af nettó.',
  'The supplier is abroad and charged no VAT.': 'Birgirinn er erlendis og innheimti engan virðisaukaskatt.',
  'VAT owed and deducted.': 'Virðisaukaskattur sem skuldast og dregst frá.',
  'VAT owed, not deductible.': 'Virðisaukaskattur sem skuldast og er ekki frádráttarbær.',
  'VAT owed by the buyer.': 'Virðisaukaskattur sem kaupandinn skuldar.',
  'Code {} has its own account for this way of paying.':
    'Kóði {} á sér eigin lykil fyrir þennan greiðslumáta.',
  'how_paid is {}.': 'how_paid er {}.',
  'Owed in {}.': 'Skuldað í {}.',
  'The rest of rounding in the currency went here.': 'Afgangur námundunar í gjaldmiðlinum fór hingað.',
  'Every line is rounded to krónur on its own; this is the difference.':
    'Hver lína er námunduð í krónur fyrir sig; þetta er mismunurinn.',
  'The cents that the lines were short of the amount, or over it.':
    'Aurarnir sem línurnar voru undir upphæðinni eða yfir henni.',
};
