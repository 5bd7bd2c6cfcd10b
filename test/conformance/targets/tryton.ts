import { Decimal, sum } from '../../../src/domain/money.js';
import { readWireJson } from '../../../src/http/wire-json.js';
import {
  FaultProxy,
  type ProxiedRequest,
  type RequestClass,
} from '../../../lab/kit/conformance/fault-proxy.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { trytonAdapter } from '../../../src/erp/tryton/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { keptFile } from '../../support/erp/kept-file.js';
import { CHART } from '../../support/erp/sample-chart.js';
import {
  TRYTON_AXIS,
  TRYTON_COMPANY,
  TRYTON_CUSTOMER,
  TRYTON_PLACES,
  TRYTON_SUPPLIER,
  TRYTON_TAXES,
} from '../../support/erp/tryton-company.js';
import { date, TrytonRpc } from '../../support/erp/tryton-rpc.js';
import {
  startTryton,
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';

/** As many as the adapter asks for at a time. */
const MOVES_PER_PAGE = 100;
const NO_DOCUMENTS = 'these are plain moves; with `books: documents` there are invoices to match with';
const REFUSAL = JSON.stringify({ id: 1, error: ['UserError', ['The books are being copied.', '', null]] });

/** Both on one server, which stops when `stop` is called: each suite uses keys of its own. */
export function trytonTargets(): {
  readonly targets: readonly ConformanceTarget[];
  server(): Promise<TrytonServer>;
  stop(): Promise<void>;
} {
  let started: Promise<TrytonServer> | undefined;
  const server = () => (started ??= startTryton());
  const target = (name: string, judge: string, settings: Record<string, unknown>): ConformanceTarget => ({
    name,
    judge,
    notApplicable:
      'books' in settings
        ? {}
        : {
            'matched-after-crash': NO_DOCUMENTS,
            'payment-taken-back': NO_DOCUMENTS,
            'bill-credited': NO_DOCUMENTS,
          },
    open: async () => openCompany(await server(), settings),
  });
  const real = 'trytond 6.0 from Debian (real)';
  return {
    targets: [
      target('tryton', real, {}),
      target('tryton-documents', `${real}, invoices and bills as documents`, {
        books: 'documents',
        taxes: TRYTON_TAXES,
      }),
    ],
    server,
    stop: async () => (await started)?.stop(),
  };
}

async function openCompany(server: TrytonServer, settings: Record<string, unknown>): Promise<ConformanceBed> {
  const judge = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  judge.use({ company: 1 });
  const proxy = new FaultProxy({
    upstream: server.url,
    finalStep: 'post',
    classify,
    errorBody: () => REFUSAL,
    attachmentRefusal: { status: 200, body: REFUSAL },
  });
  const baseUrl = await proxy.start();
  const models = 'books' in settings ? ['account.move', 'account.invoice'] : ['account.move'];
  const statesOf = async (key: string) => {
    const states: string[] = [];
    for (const model of models) {
      const found = await judge.searchRead(model, [['description', 'like', `${key}%`]], ['state']);
      states.push(...found.map(({ state }) => String(state)));
    }
    return states;
  };
  return {
    chart: {
      ...CHART,
      customer: { kind: 'customer', ...TRYTON_CUSTOMER },
      supplier: { kind: 'supplier', ...TRYTON_SUPPLIER },
      dimension: { ...CHART.dimension, value: TRYTON_PLACES[0]! },
    },
    connect: (variant = 'normal', shared = {}) => {
      const configuration = trytonAdapter.configuration.parse({
        baseUrl,
        database: TRYTON_DATABASE,
        user: TRYTON_USER,
        password: 'env:TRYTON_PASSWORD',
        company: variant === 'wrong-company' ? '6612345670' : TRYTON_COMPANY.kennitala,
        dimensions: { [CHART.dimension.name]: { root: TRYTON_AXIS } },
        partners: { create: true },
        deadlineMs: 30_000,
        ...settings,
      });
      const password = variant === 'bad-credentials' ? 'not the password' : TRYTON_PASSWORD;
      return Promise.resolve(
        trytonAdapter.create(configuration, {
          ...erpServices({ 'env:TRYTON_PASSWORD': password }),
          ...shared,
        }),
      );
    },
    provoke: (fault) => proxy.provoke(fault),
    heal: () => proxy.heal(),
    heard: () => proxy.heard(),
    count: async (key) => {
      const states = await statesOf(key);
      const countOf = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
      return { posted: countOf('posted', 'paid'), drafts: countOf('draft', 'validated') };
    },
    countParties: async (kennitala) =>
      (await judge.search('party.party', [['identifiers.code', '=', kennitala]])).length,
    owed: async (key) => {
      const domain = [['description', 'like', `${key}%`]];
      const found = await judge.searchRead('account.invoice', domain, ['amount_to_pay']);
      return sum(
        found.map(({ amount_to_pay }) => new Decimal((amount_to_pay as { decimal: string }).decimal)),
      );
    },
    texts: async (key) => {
      const kept: string[] = [];
      for (const [model, parent] of [
        ['account.move.line', 'move'],
        ['account.invoice.line', 'invoice'],
      ] as const) {
        const lines = await judge.search(model, [[`${parent}.description`, 'like', `${key}%`]]);
        const read = await judge.read(model, lines, ['description']);
        kept.push(...read.map(({ description }) => String(description)));
      }
      return kept;
    },
    attachments: async ({ id }) => {
      const resource = id.includes(',') ? id : `account.move,${id}`;
      const files = await judge.search('ir.attachment', [['resource', '=', resource]]);
      return (await judge.read('ir.attachment', files, ['name', 'data'])).map(({ name, data }) =>
        keptFile(String(name), Buffer.from((data as { base64: string }).base64, 'base64')),
      );
    },
    crowd: (day) => crowd(judge, day),
    closeOpenDate: (isClosed) => setPeriod(judge, CHART.openDate, isClosed ? 'close' : 'open'),
    close: () => proxy.stop(),
  };
}

/** Written and not asked for by the button, which wants all drafts of the period posted first. */
async function setPeriod(judge: TrytonRpc, day: string, state: 'open' | 'close'): Promise<void> {
  await judge.call('model.account.period.write', await periodsOf(judge, day), { state });
}

function periodsOf(judge: TrytonRpc, day: string): Promise<number[]> {
  return judge.search('account.period', [
    ['start_date', '<=', date(day)],
    ['end_date', '>=', date(day)],
  ]);
}

/** Drafts of a bookkeeper, made in one request. */
async function crowd(judge: TrytonRpc, day: string): Promise<void> {
  const [journal] = await judge.search('account.journal', []);
  const [period] = await periodsOf(judge, day);
  const moves = Array.from({ length: MOVES_PER_PAGE + 1 }, (_, index) => ({
    ...{ company: 1, journal, period, date: date(day) },
    description: `Laun ${String(index)}`,
  }));
  await judge.call('model.account.move.create', moves);
}

const CLASSES: Readonly<Record<string, RequestClass>> = {
  'model.account.move.create': 'create',
  'model.account.move.post': 'post',
  'model.account.invoice.create': 'create',
  'model.account.invoice.post': 'post',
  'model.account.move.delete': 'clean-up',
  'model.account.invoice.delete': 'clean-up',
  'model.ir.attachment.create': 'attach',
  'model.party.party.create': 'partner',
};

function classify({ body }: ProxiedRequest): RequestClass {
  const { method } = readWireJson(body) as { method: string };
  return CLASSES[method] ?? 'other';
}
