// Believable Icelandic companies by seed. Promises: the same options give the same account on every machine; a hundred
// thousand documents take seconds, since XML and PDF are drawn only when asked for; amounts, references and dates hold to
// the documents' write rules unless `difficulty` says otherwise, and then `planted` names each document that does not.
import {
  SCOPES,
  type AccountData,
  type AccountProfile,
  type DateText,
  type TimestampText,
} from '../model.js';
import { seededRandom, type Random } from '../random.js';
import { buyersOf, catalogueOf } from './buyers.js';
import { between, pick, WorkingDays, DIFFICULTIES, type DifficultyName } from './working-days.js';
import { companyKennitala, companyName, plainLetters, PLACES, STREETS } from './names.js';
import { plantProblems, type PlantedProblem } from './problems.js';
import { purchasesOf } from './purchases.js';
import { salesOf } from './sales.js';
import { sidelinesOf } from './sidelines.js';
import { TRADES, type Trade, type TradeName } from './trades.js';

export interface WorldOptions {
  readonly seed: string | number;
  readonly invoices: number;
  readonly costs: number;
  /** Issue dates lie between these days, both included. */
  readonly from: DateText;
  readonly to: DateText;
  readonly companyName?: string;
  readonly trade?: TradeName;
  /** Default: one for every eight invoices, from 8 to 400. */
  readonly customers?: number;
  readonly difficulty?: DifficultyName;
  /** The moment the account opens; costs with AI become visible after it. Default: noon of the last day. */
  readonly now?: TimestampText;
  /** Documents issued before this day are in the books already: Posted. */
  readonly postedBefore?: DateText;
}

export interface GeneratedAccount extends AccountData {
  /** What is wrong on purpose; empty unless the difficulty is `troubled`. */
  readonly planted: readonly PlantedProblem[];
}

const CUSTOMERS_MIN = 8;
const CUSTOMERS_MAX = 400;
const DOCUMENTS_MAX = 5_000_000;

export function generateAccount(options: WorldOptions): GeneratedAccount {
  for (const count of [options.invoices, options.costs]) {
    if (!Number.isInteger(count) || count < 0 || count > DOCUMENTS_MAX)
      throw new RangeError(`A number of documents is a whole number up to ${DOCUMENTS_MAX}.`);
  }
  // A stream of chance for each part: more invoices do not change the company or its costs.
  const stream = (part: string): Random => seededRandom(`${options.seed}:${part}`);
  const difficulty = DIFFICULTIES[options.difficulty ?? 'everyday'];
  const trade: Trade = TRADES[options.trade ?? tradeOf(stream('trade'))];
  const days = new WorkingDays(options.from, options.to);
  const buyers = buyersOf(
    stream('customers'),
    trade,
    customerCount(options),
    difficulty.exemptCustomers,
    days.from,
  );
  const catalogue = catalogueOf(stream('items'), trade, days.from);
  const invoices = salesOf(
    { random: stream('sales'), trade, buyers, catalogue, days, difficulty },
    options.invoices,
  );
  const costs = purchasesOf(
    {
      random: stream('purchases'),
      days,
      difficulty,
      projects: trade.projects,
      now: options.now ?? `${options.to} 12:00:00`,
      firstId: invoices.length + 1,
    },
    options.costs,
  );
  const planted = difficulty.problems ? plantProblems({ invoices, costs }) : [];
  if (options.postedBefore !== undefined) markPosted({ invoices, costs }, options.postedBefore);
  return {
    profile: profileOf(stream('company'), trade, options.companyName),
    customers: buyers.map((buyer) => buyer.customer),
    items: catalogue,
    invoices,
    costs,
    ...sidelinesOf(stream('sidelines'), { buyers, catalogue, days, projects: trade.projects }),
    planted,
  };
}

function tradeOf(random: Random): TradeName {
  return pick(random, Object.keys(TRADES) as TradeName[]);
}

function customerCount({ customers, invoices }: WorldOptions): number {
  return customers ?? Math.min(CUSTOMERS_MAX, Math.max(CUSTOMERS_MIN, Math.round(invoices / 8)));
}

function markPosted({ invoices, costs }: Pick<AccountData, 'invoices' | 'costs'>, before: DateText): void {
  for (const document of [...invoices, ...costs])
    if (document.accounting_status === 'Created' && document.issue_date < before)
      document.accounting_status = 'Posted';
}

function profileOf(random: Random, trade: Trade, givenName: string | undefined): AccountProfile {
  const name = givenName ?? companyName(random, trade.business);
  const [zip, city] = pick(random, PLACES);
  const slug = plainLetters(name).replace(/-(ehf|hf|slf)$/, '');
  return {
    username: slug,
    api_key: random.token(20),
    password: `${pick(random, ['lopapeysa', 'kleinur', 'nordurljos', 'hverabraud'])}-${between(random, 100, 999)}`,
    name,
    registration_no: companyKennitala(random),
    vat_no: String(between(random, 10_000, 149_999)),
    address: `${pick(random, STREETS)} ${between(random, 1, 90)}`,
    zip,
    city,
    email: `bokhald@${slug}.example`,
    scopes: SCOPES,
    claim_subscription: true,
    discount_subscription: true,
    payment_link_subscription: true,
    cost_ai: false,
    web_service: true,
  };
}
