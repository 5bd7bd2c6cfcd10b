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
  'It is "{}".': 'Það er „{}“.',
  'A line says "{}".': 'Á línu stendur „{}“.',
  'Its status is "{}".': 'Staða þess er „{}“.',
  'It is missing.': 'Það vantar.',
  'It is in {} and dated {}.': 'Það er í {} og dagsett {}.',
  'It is dated {}, and the books are locked until {}.': 'Það er dagsett {}, og bækurnar eru læstar til {}.',
  'It says {} ISK for 1 {}; about {} is expected.': 'Þar standa {} kr. fyrir 1 {}; búast má við um {}.',
  'The amount is {}, the lines with VAT give {}, the totals say {}.':
    'Upphæðin er {}, línurnar með virðisaukaskatti gefa {}, samtölurnar segja {}.',
  'Rounding to krónur would leave {} ISK.': 'Námundun í krónur skildi eftir {} kr.',
  'The lines miss the amount by {}.': 'Línurnar eru frá upphæðinni um {}.',
  'The amount is less than half a króna.': 'Upphæðin er innan við hálf króna.',
  'cost code {}': 'kostnaðarkóði {}',
  'dimension {}, value "{}"': 'vídd {}, gildi „{}“',
  'currency {} on {}': 'gjaldmiðill {}, {}',
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
