// Costs: what a company bought, from the same suppliers again and again, in krónur that are whole. Figures are such that
// the UBL drawn from a cost (render/cost-ubl.ts) agrees with it.
import { timestampText, instantOf } from '../clock.js';
import type { Cost, DateText, Hundredths, TimestampText } from '../model.js';
import type { Random } from '../random.js';
import {
  between,
  happens,
  pick,
  skewed,
  weighted,
  officeHour,
  type WorkingDays,
  type Difficulty,
} from './working-days.js';
import { rateOn } from './sales.js';
import { companyKennitala, personKennitala, companyName, foreignCompanyName, personName } from './names.js';

const SUPPLIERS_PER_PROFILE = 3;
const CREDIT_SHARE = 0.03;
/** Icelandic suppliers that invoice in foreign currency, with Icelandic VAT. */
const FOREIGN_WITH_VAT_SHARE = 0.03;
const CODE_FOR_REVIEW = '2633';
const HOW_PAID = [
  [1, 55],
  [2, 20],
  [3, 18],
  [4, 7],
] as const;

interface Supplier {
  readonly profile: CostProfile;
  readonly name: string;
  readonly kennitala: string;
  readonly currency: string;
}

export interface Purchaser {
  readonly random: Random;
  readonly days: WorkingDays;
  readonly difficulty: Difficulty;
  readonly projects: readonly string[];
  /** AI has not yet read the costs that reached it shortly before this. */
  readonly now: TimestampText;
  readonly firstId: number;
}

export function purchasesOf(purchaser: Purchaser, count: number): Cost[] {
  const { random, difficulty } = purchaser;
  const profiles = COST_PROFILES.filter((each) => difficulty.codesForReview || each.code !== CODE_FOR_REVIEW);
  const suppliers = profiles.map((profile) => suppliersOf(random, profile));
  const abroad = ABROAD_PROFILES.map((profile) => suppliersOf(random, profile));
  const byWeight = suppliers.map((each, index) => [each, profiles[index]?.weight ?? 1] as const);
  const costs = purchaser.days.draw(random, count).map((day, index) => {
    // Each profile once before chance decides, so that a small company shows every cost code too.
    const candidates = happens(random, difficulty.fromAbroad)
      ? pick(random, abroad)
      : (suppliers[index] ?? weighted(random, byWeight));
    return cost(purchaser, pick(random, candidates), day, index);
  });
  nameCreditedBills(costs);
  return costs;
}

/** A credit note on account is for a bill that the supplier sent before, where there is one that is not smaller. */
function nameCreditedBills(costs: readonly Cost[]): void {
  const onAccount = new Map<string, Cost[]>();
  for (const each of costs.filter(({ how_paid }) => how_paid === 1)) {
    const name = `${each.supplier_id} ${each.currency}`;
    const bills = onAccount.get(name) ?? [];
    if (each.credit_note)
      each.credits =
        bills.findLast(({ amount, issue_date }) => amount >= each.amount && issue_date <= each.issue_date)
          ?.supplier_invoice_number ?? '';
    else onAccount.set(name, [...bills, each]);
  }
}

function suppliersOf(random: Random, profile: CostProfile): Supplier[] {
  return Array.from({ length: SUPPLIERS_PER_PROFILE }, () => {
    const currency = profile.seller === 'abroad' ? pick(random, ['EUR', 'USD', 'GBP']) : 'ISK';
    return {
      profile,
      currency,
      name: sellerName(random, profile, currency),
      kennitala: profile.seller === 'person' ? personKennitala(random) : companyKennitala(random),
    };
  });
}

function sellerName(random: Random, profile: CostProfile, currency: string): string {
  if (profile.seller === 'person') return personName(random);
  if (profile.seller === 'abroad') return foreignCompanyName(random, currency);
  return companyName(random, profile.business);
}

function cost(purchaser: Purchaser, supplier: Supplier, day: DateText, index: number): Cost {
  const { random, days, difficulty } = purchaser;
  const createdDate = days.later(day, happens(random, 0.3) ? between(random, 1, 12) : 0);
  const createdAt = officeHour(random, createdDate);
  const approvedAt = happens(random, difficulty.approvedLate)
    ? officeHour(random, days.later(createdDate, between(random, 2, 45)))
    : createdAt;
  return {
    guid: random.guid(),
    id: purchaser.firstId + index,
    description: pick(random, supplier.profile.texts),
    supplier_id: supplier.kennitala,
    supplier_name: supplier.name,
    supplier_invoice_number: String(between(random, 10_000, 999_999)),
    ...figures(random, supplier, day),
    cost_code: supplier.profile.code,
    how_paid: howPaid(random, supplier.profile),
    attachment: happens(random, 0.6)
      ? { file_name: `reikningur-${index + 1}.pdf`, file_extension: 'pdf', content: null }
      : null,
    issue_date: day,
    created_date: createdDate,
    created_at: createdAt,
    project_name:
      purchaser.projects.length > 0 && happens(random, 0.3) ? pick(random, purchaser.projects) : '',
    credit_note: supplier.profile.mix !== 'none' && happens(random, CREDIT_SHARE),
    credits: '',
    accounting_message: '',
    ...progress(purchaser, approvedAt),
  };
}

/** Approved, waiting for approval, or still with the machine that reads receipts. */
function progress(
  { random, difficulty, now }: Purchaser,
  approvedAt: TimestampText,
): Pick<Cost, 'accounting_status' | 'updated_timestamp' | 'xml_written_at' | 'processing_until'> {
  const waiting = { accounting_status: 'New', updated_timestamp: approvedAt, xml_written_at: null } as const;
  if (happens(random, difficulty.readByAi)) {
    const until = timestampText(instantOf(now) + between(random, 5, 120) * 60_000);
    return { ...waiting, processing_until: until };
  }
  if (happens(random, difficulty.waitingForApproval)) return { ...waiting, processing_until: null };
  return {
    accounting_status: 'Created',
    updated_timestamp: approvedAt,
    xml_written_at: approvedAt,
    processing_until: null,
  };
}

function howPaid(random: Random, { seller, code }: CostProfile): 1 | 2 | 3 | 4 {
  if (seller === 'person' || code === '3085' || code === '3090') return 1;
  if (seller === 'abroad') return 3;
  return weighted(random, HOW_PAID);
}

type Figures = Pick<Cost, 'amount' | 'currency' | 'vat_S' | 'vat_AA' | 'exchange_rate'>;

function figures(random: Random, supplier: Supplier, day: DateText): Figures {
  const { profile } = supplier;
  const net = skewed(random, profile.low, profile.high);
  if (supplier.currency !== 'ISK') return inForeign(supplier.currency, net, 0, day);
  if (profile.mix === 'S' && happens(random, FOREIGN_WITH_VAT_SHARE))
    return inForeign(pick(random, ['EUR', 'USD', 'GBP']), net, 24, day);
  const part = Math.round(net * (0.3 + random.next() * 0.4));
  const taxed: readonly [netS: number, netAA: number] = {
    S: [net, 0] as const,
    AA: [0, net] as const,
    'S+AA': [part, net - part] as const,
    'S+0': [part, 0] as const,
    none: [0, 0] as const,
  }[profile.mix];
  const vatS = Math.round(taxed[0] * 0.24);
  const vatAA = Math.round(taxed[1] * 0.11);
  return {
    amount: (net + vatS + vatAA) * 100,
    currency: 'ISK',
    vat_S: vatS * 100,
    vat_AA: vatAA * 100,
    exchange_rate: '1',
  };
}

/** A whole net, so that 24 % of it has whole cents and the rate can be read back from the two VAT figures. */
function inForeign(currency: string, netIsk: number, percent: 0 | 24, day: DateText): Figures {
  const rate = rateOn(currency, day);
  const net = Math.max(1, Math.round(netIsk / Number(rate)));
  const vat: Hundredths = net * percent;
  return {
    amount: net * 100 + vat,
    currency,
    vat_S: Math.round((vat * Number(rate)) / 100) * 100,
    vat_AA: 0,
    exchange_rate: rate,
  };
}

// What companies buy: one profile or more per cost code, with what the invoice says, what it costs and how it is taxed.

/** `S+AA` both rates; `S+0` 24 % and a part without; `none` no VAT at all. */
type VatMix = 'S' | 'AA' | 'S+AA' | 'S+0' | 'none';

interface CostProfile {
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

const COST_PROFILES: readonly CostProfile[] = [
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
const ABROAD_PROFILES: readonly CostProfile[] = [
  profile('2383', 'Cloud', ['Software subscription', 'Cloud hosting'], 'none', [1_500, 140_000], 3, 'abroad'),
  profile('2263', 'Ads', ['Online advertising'], 'none', [8_000, 220_000], 2, 'abroad'),
];
