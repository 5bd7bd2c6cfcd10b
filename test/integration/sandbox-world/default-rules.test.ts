// The sandbox and the mapper were written apart from the same documents; here they meet.
import { readFileSync } from 'node:fs';
import { parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { decodeDocument } from '../../../src/service/decode-document.js';
import { mapDocument } from '../../../src/pipeline/mapping/map-document.js';
import { parseRules } from '../../../src/pipeline/mapping/rules.js';
import { SandboxClock } from '../../../lab/sandbox/clock.js';
import { DEFAULT_CHOICES } from '../../../lab/sandbox/options.js';
import { seededRandom } from '../../../lab/sandbox/random.js';
import { costReceipt } from '../../../lab/sandbox/render/cost-receipt.js';
import { costUbl } from '../../../lab/sandbox/render/cost-ubl.js';
import { invoicePdf } from '../../../lab/sandbox/render/invoice-pdf.js';
import { Account } from '../../../lab/sandbox/service/account.js';
import { costOnWire, invoiceOnWire } from '../../../lab/sandbox/wire/documents.js';
import { generateAccount, type GeneratedAccount } from '../../../lab/sandbox/world/generate-account.js';
import type { DifficultyName } from '../../../lab/sandbox/world/working-days.js';
import type { ProblemName } from '../../../lab/sandbox/world/problems.js';
import { TRADES, type TradeName } from '../../../lab/sandbox/world/trades.js';

const RULES_FILE = 'config/rules/default.yaml';
const rules = parseRules(parseYaml(readFileSync(RULES_FILE, 'utf8')), RULES_FILE);

/** Outcome or reason per document guid, through the wire's JSON and the bridge's own decoder. */
function outcomes(world: GeneratedAccount): Map<string, string> {
  const account = new Account(world, {
    clock: new SandboxClock(),
    choices: DEFAULT_CHOICES,
    random: seededRandom(1),
    baseUrl: () => '',
    render: { costUbl, costReceipt, invoicePdf },
  });
  const exempt = new Set(world.customers.filter((each) => each.tax_exempt).map((each) => each.guid));
  const found = new Map<string, string>();
  const map = (kind: 'invoice' | 'cost', guid: string, wire: object, context: object): void => {
    const decoded = decodeDocument(kind, parse(JSON.stringify(wire)));
    if (decoded.outcome === 'malformed') return void found.set(guid, decoded.problem);
    const outcome = mapDocument(decoded.document, rules, context);
    const warnings = outcome.warnings.map((warning) => warning.code).join(' ');
    found.set(guid, outcome.outcome === 'post' ? `post ${warnings}`.trim() : outcome.reason);
  };
  for (const invoice of world.invoices)
    map('invoice', invoice.guid, invoiceOnWire(account, invoice), {
      customer: { taxExempt: exempt.has(invoice.customer.guid) },
      ...(invoice.refer_guid === null ? {} : { original: { accountingStatus: 'Posted' } }),
      creditNotes: invoice.credited_by,
    });
  for (const cost of world.costs) map('cost', cost.guid, costOnWire(account, cost), {});
  return found;
}

function tally(found: Map<string, string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of found.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const world = (difficulty: DifficultyName, trade: TradeName, seed: string, count: number) =>
  generateAccount({
    seed,
    invoices: count,
    costs: count,
    from: '2025-01-01',
    to: '2025-12-31',
    difficulty,
    trade,
  });

describe('under the default rules', () => {
  it.each(Object.keys(TRADES) as TradeName[])(
    'a tidy company (%s): every document posts, without a warning',
    (trade) => {
      expect(tally(outcomes(world('tidy', trade, `tidy-${trade}`, 75)))).toEqual({ post: 150 });
    },
  );

  it('an everyday company: what does not post waits for a reason that a person can see', () => {
    const counts = tally(outcomes(world('everyday', 'travel', 'everyday', 300)));
    const expected = ['post', 'NOT_CREATED', 'CANCELLED', 'FX_RATE_MISSING'];
    expect(
      Object.keys(counts).filter((outcome) => ![...expected, 'COST_CODE_NEEDS_REVIEW'].includes(outcome)),
    ).toEqual([]);
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(expected));
  });

  it('a troubled company: each planted problem is met with the reason that it deserves', () => {
    const troubled = world('troubled', 'travel', 'troubled', 100);
    const found = outcomes(troubled);
    const met = Object.fromEntries(troubled.planted.map(({ problem, guid }) => [problem, found.get(guid)]));
    // Dimensions have no value tables under the default rules, so their problems show only once a tenant has one.
    expect(met).toEqual({
      'unknown-cost-code': 'UNMAPPED_COST_CODE',
      'alias-cost-code': 'post',
      'unmapped-project': 'post',
      'kennitala-checksum': 'post KENNITALA_CHECKSUM',
      'missing-xml': 'XML_PENDING',
      'vat-on-salary': 'VAT_NOT_ALLOWED',
      'too-much-vat': 'VAT_IMPLAUSIBLE',
      'free-of-charge': 'ZERO_AMOUNT',
      'unmapped-cost-location': 'post',
      'customer-kennitala-checksum': 'post KENNITALA_CHECKSUM',
      'amount-differs': 'TOTALS_MISMATCH',
      'rate-upside-down': 'FX_RATE_IMPLAUSIBLE',
    } satisfies Record<ProblemName, string>);
  });
});
