// What companies buy: one profile or more per cost code, with what the invoice says, what it costs and how it is taxed.

/** `S+AA` both rates; `S+0` 24 % and a part without; `none` no VAT at all. */
export type VatMix = 'S' | 'AA' | 'S+AA' | 'S+0' | 'none';

export interface CostProfile {
  readonly code: string;
  readonly business: string;
  readonly texts: readonly string[];
  readonly mix: VatMix;
  /** ISK without VAT, from and to. */
  readonly low: number;
  readonly high: number;
  /** Of a hundred costs of a usual company. */
  readonly weight: number;
  /** Who the seller is: a company, an employee, or somebody abroad. */
  readonly seller?: 'person' | 'abroad';
}

function profile(
  code: string,
  business: string,
  texts: readonly string[],
  mix: VatMix,
  [low, high]: readonly [number, number],
  weight: number,
  seller?: 'person' | 'abroad',
): CostProfile {
  return { code, business, texts, mix, low, high, weight, ...(seller === undefined ? {} : { seller }) };
}

export const COST_PROFILES: readonly CostProfile[] = [
  profile('3028', 'Heildverslun', ['Hráefni', 'Efni í framleiðslu'], 'S', [8_000, 600_000], 9),
  profile('3028', 'Matvörur', ['Hráefni til matargerðar', 'Mjöl og smjör'], 'S+AA', [5_000, 180_000], 5),
  profile('2153', 'Umboðssalan', ['Vörur til endursölu', 'Vörukaup'], 'S', [12_000, 900_000], 6),
  profile('2173', 'Verktakar', ['Undirverktaka', 'Aðkeypt vinna til endursölu'], 'S', [60_000, 1_400_000], 5),
  profile('3033', '', ['Laun', 'Laun og orlof'], 'none', [420_000, 980_000], 5, 'person'),
  profile('3080', '', ['Reiknað endurgjald'], 'none', [350_000, 900_000], 2, 'person'),
  profile('3085', 'Lífeyrissjóðurinn', ['Mótframlag í lífeyrissjóð'], 'none', [60_000, 420_000], 3),
  profile('3090', 'Innheimta', ['Tryggingagjald', 'Launatengd gjöld'], 'none', [40_000, 380_000], 3),
  profile('2093', 'Rekstrarvörur', ['Hreinsiefni', 'Umbúðir', 'Rekstrarvörur'], 'S', [2_000, 90_000], 6),
  profile('2243', 'Veitur', ['Rafmagn og heitt vatn', 'Hiti og rafmagn'], 'S+AA', [15_000, 140_000], 5),
  profile('2193', 'Fasteignir', ['Húsaleiga', 'Leiga á verslunarhúsnæði'], 'none', [180_000, 950_000], 3),
  profile('2193', 'Atvinnuhús', ['Húsaleiga, frjáls skráning'], 'S', [200_000, 900_000], 2),
  profile('2423', 'Verkfæri', ['Borvél', 'Smááhöld', 'Skrifborðsstóll'], 'S', [6_000, 120_000], 4),
  profile('2443', 'Þjónustuverkstæði', ['Viðgerð á tækjum', 'Pípulögn'], 'S', [18_000, 260_000], 3),
  profile('2353', 'Bókhaldsstofan', ['Bókhaldsþjónusta', 'Lögfræðiráðgjöf'], 'S', [25_000, 320_000], 5),
  profile('2383', 'Skrifstofan', ['Pappír og prenthylki', 'Símaþjónusta'], 'S', [1_500, 48_000], 8),
  profile('2383', 'Bóksala', ['Fagbækur', 'Áskrift að dagblaði'], 'AA', [3_000, 38_000], 3),
  profile('2403', 'Fjármögnun', ['Leiga á prentara', 'Kaupleiga'], 'S', [22_000, 160_000], 2),
  profile(
    '2263',
    'Auglýsingastofan',
    ['Auglýsing á vef', 'Prentun á kynningarefni'],
    'S',
    [15_000, 420_000],
    4,
  ),
  profile(
    '3163',
    'Veitingahús',
    ['Veitingar fyrir gesti', 'Jólagjafir starfsfólks'],
    'S+AA',
    [9_000, 160_000],
    4,
  ),
  profile('2333', 'Hótel', ['Gisting á ferðalagi'], 'AA', [22_000, 180_000], 3),
  profile(
    '2333',
    'Flugfélagið',
    ['Flug til Kaupmannahafnar', 'Innanlandsflug'],
    'none',
    [24_000, 210_000],
    3,
  ),
  profile('3140', 'Bensínstöðin', ['Eldsneyti á fólksbíl', 'Hjólbarðar'], 'S', [4_000, 110_000], 6),
  profile('2283', 'Olíufélagið', ['Dísilolía á sendibíl', 'Smurning'], 'S', [6_000, 95_000], 4),
  profile('2533', 'Verslunin', ['Ýmis innkaup', 'Blóm og kerti'], 'S+0', [1_200, 42_000], 4),
  profile('2633', 'Sparisjóðurinn', ['Vaxtatekjur'], 'none', [500, 60_000], 1),
  profile('3653', 'Bankinn', ['Vextir og þjónustugjöld', 'Færslugjöld'], 'none', [800, 75_000], 4),
  profile('5028', 'Vélasalan', ['Ofn', 'Fartölva', 'Sendibíll'], 'S', [280_000, 5_400_000], 1),
  profile('9535', 'Innheimta', ['Uppgjör virðisaukaskatts'], 'none', [90_000, 2_400_000], 1),
];

/** Bought from abroad in the seller's currency, without Icelandic VAT. */
export const ABROAD_PROFILES: readonly CostProfile[] = [
  profile('2383', 'Cloud', ['Software subscription', 'Cloud hosting'], 'none', [1_500, 140_000], 3, 'abroad'),
  profile('2263', 'Ads', ['Online advertising'], 'none', [8_000, 220_000], 2, 'abroad'),
];
