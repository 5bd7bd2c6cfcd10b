import { FaultProxy } from '../../../lab/kit/conformance/fault-proxy.js';
import { freshKey } from '../../../lab/kit/conformance/journals.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { httpAdapter } from '../../../src/erp/http/index.js';
import type { HttpConfiguration } from '../../../src/erp/http/settings.js';
import { startErpLedger } from '../../../lab/sandbox/erp-ledger/server.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { ACCOUNTS, CHART } from '../../support/erp/sample-chart.js';

const SECRET = 'test-shared-secret-of-the-ledger';
const NO_DRAFTS = 'the contract books in one step';
const NO_PARTNERS = 'partners travel with the journal; the layer keeps them';
/** As many as the adapter asks for at a time. */
const ENTRIES_PER_PAGE = 200;
const COMPANY = 'Fjörður ehf.';
const CLOSED_YEAR = { from: '2025-01-01', to: '2025-12-31' };

const BEHAVIOURS = {
  'idempotency-key': 'key',
  'unique-reference': 'unique-reference',
  'look-up': 'look-up',
  none: 'none',
} as const;

/** The layer may promise four different things about keys; the adapter must be right about each. */
export function httpTarget(keys: HttpConfiguration['keys'] = 'idempotency-key'): ConformanceTarget {
  return {
    name: keys === 'idempotency-key' ? 'http' : `http-${keys}`,
    judge: "the sandbox's ERP ledger over HTTP",
    notApplicable: {
      'killed-after-create-resume': NO_DRAFTS,
      'killed-after-create-post': NO_DRAFTS,
      'expired-token': 'every request is signed anew; there is no session',
      'known-party': NO_PARTNERS,
      'new-party-once': NO_PARTNERS,
    },
    open: () => openLedger(keys),
  };
}

async function openLedger(keys: HttpConfiguration['keys']): Promise<ConformanceBed> {
  const ledger = await startErpLedger({
    company: COMPANY,
    ledger: 'main',
    secret: SECRET,
    behaviour: { idempotency: BEHAVIOURS[keys] },
    chart: {
      accounts: ACCOUNTS.map((account) => ({ account })),
      dimensions: { [CHART.dimension.name]: [CHART.dimension.value] },
    },
  });
  ledger.control.closePeriod(CLOSED_YEAR);
  const proxy = new FaultProxy({
    upstream: ledger.url,
    finalStep: 'create',
    classify: ({ method, path }) => {
      if (method !== 'POST') return 'other';
      return path.endsWith('/attachments') ? 'attach' : 'create';
    },
    errorBody: () => JSON.stringify({ error: { code: 'invalid', message: 'The books are being copied.' } }),
    rateLimit: {
      body: JSON.stringify({ error: { code: 'rate_limited', message: 'Too many requests.' } }),
      headers: {},
    },
    attachmentRefusal: {
      status: 422,
      body: JSON.stringify({ error: { code: 'invalid', message: 'No more room for files.' } }),
    },
  });
  const baseUrl = await proxy.start();
  return {
    chart: CHART,
    connect: (variant = 'normal', shared = {}) => {
      const configuration = httpAdapter.configuration.parse({
        baseUrl,
        secret: 'env:LEDGER_SECRET',
        company: variant === 'wrong-company' ? 'Annað félag ehf.' : COMPANY,
        ledger: 'main',
        keys,
        deadlineMs: 5_000,
      });
      const secret = variant === 'bad-credentials' ? 'another secret' : SECRET;
      return Promise.resolve(
        httpAdapter.create(configuration, { ...erpServices({ 'env:LEDGER_SECRET': secret }), ...shared }),
      );
    },
    provoke: (fault) => proxy.provoke(fault),
    heal: () => proxy.heal(),
    heard: () => proxy.heard(),
    count: (key) => Promise.resolve({ posted: ledger.control.entriesByKey(key).length, drafts: 0 }),
    texts: (key) =>
      Promise.resolve(
        ledger.control
          .entriesByKey(key)
          .flatMap(({ description, lines }) => [description, ...lines.map((line) => line.text)]),
      ),
    // The ledger keeps the digest of a file and not its bytes.
    attachments: ({ id }) =>
      Promise.resolve(
        (ledger.control.entryById(id)?.attachments ?? []).map(({ fileName, sha256 }) => ({
          fileName,
          sha256,
        })),
      ),
    crowd(day) {
      const [example] = ledger.control.entries({ limit: 1 });
      if (!example) throw new RangeError('a crowd is made of copies of an entry');
      const booked = ledger.control.counts().entries;
      const copies = Array.from({ length: ENTRIES_PER_PAGE + 1 }, (_, index) => ({
        ...example,
        id: `je-${String(booked + index + 1)}`,
        // Nobody else books through this contract.
        key: freshKey(),
        postingDate: day,
      }));
      ledger.control.restore(copies);
      return Promise.resolve();
    },
    closeOpenDate(isClosed) {
      if (isClosed) ledger.control.closePeriod({ from: CHART.openDate, to: CHART.openDate });
      else {
        ledger.control.openAllPeriods();
        ledger.control.closePeriod(CLOSED_YEAR);
      }
      return Promise.resolve();
    },
    close: async () => {
      await proxy.stop();
      await ledger.close();
    },
  };
}
