// `ledgerbridge adapter try`: one small entry for real. It is posted, read back, compared and reversed, in the books of a tenant, so that
// an author sees an adapter work at the ERP itself before the first document goes there.
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { Decimal } from '../domain/money.js';
import type { Journal } from '../domain/journal.js';
import { trialKey } from '../domain/posting-key.js';
import { compareEntry } from '../erp/compare-entry.js';
import type { ErpAdapter, ErpEntry, ErpReference, FindOutcome, PostOutcome } from '../erp/erp-adapter.js';
import { erpAdapter } from '../erp/registry.js';
import { saidByRules } from '../pipeline/mapping/rules.js';
import { createLog } from '../telemetry/log.js';
import { resolveSecret } from '../tenants/secrets.js';
import type { Tenant } from '../tenants/tenant.js';
import { SYSTEM_RUNTIME } from '../worker/schedules.js';
import { answer, type JsonOption } from './answer.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { confirm } from './prompt.js';
import { findTenant, readSettings } from './tenant-files.js';

export interface TryOptions extends JsonOption {
  readonly directory?: string;
  readonly date?: string;
  readonly yes?: boolean;
}

interface TryStep {
  readonly step: 'open' | 'post' | 'find' | 'compare' | 'reverse';
  readonly good: boolean;
  readonly says: string;
}

const LOOKS_MAX = 10;
const LOOK_EVERY_MS = 1_000;

export async function tryAdapter(io: CliIo, name: string, options: TryOptions): Promise<void> {
  const { directory } = await readSettings(io, options);
  const tenant = await findTenant(io, directory, name);
  const date = options.date ?? new Date().toISOString().slice(0, 10);
  const journal = trialEntry(tenant, date);
  const [line] = journal.lines;
  const consequence = `An entry of 1 króna, debit and credit on account ${line?.account ?? ''}, is posted in the books of ${tenant.title} on ${date} and reversed at once. Both stay visible there.`;
  if (!(await confirm(io, { consequence, question: 'Post it?', yes: options.yes }))) return;
  const adapter = await connect(io, tenant);
  const steps: TryStep[] = [];
  try {
    await tryIt(adapter, journal, (step) => {
      steps.push(step);
      if (options.json !== true) io.out(`${step.good ? '✓' : '✕'} ${step.step}: ${step.says}\n`);
    });
  } finally {
    await adapter.close();
  }
  const good = steps.every((step) => step.good);
  if (!good) io.setExitCode(EXIT.problems);
  answer(io, options, { tenant: tenant.name, adapter: tenant.erp.adapter, good, steps }, () =>
    good
      ? 'The adapter works at this ERP.'
      : 'It does not. If an entry was posted, see above how to find it.',
  );
}

async function connect(io: CliIo, tenant: Tenant): Promise<ErpAdapter> {
  const { settings } = await readSettings(io, {});
  const warn = (message: string) => io.err(`${message}\n`);
  const definition = await erpAdapter(tenant.erp.adapter);
  return definition.create(tenant.erp.settings, {
    clock: SYSTEM_RUNTIME.clock,
    secret: (reference) =>
      resolveSecret(reference, { env: io.env, baseDirectory: dirname(tenant.file), warn }),
    dataDirectory: join(settings.dataDirectory, 'tenants', tenant.name),
    configDirectory: dirname(tenant.file),
    tenantName: tenant.name,
    log: createLog({ level: 'silent', format: 'json', isTty: false }),
    ...saidByRules(tenant.rules),
  });
}

type Told = (step: TryStep) => void;

export async function tryIt(adapter: ErpAdapter, journal: Journal, tell: Told): Promise<void> {
  const health = await adapter.health();
  const isOpen = health.outcome === 'healthy';
  tell({ step: 'open', good: isOpen, says: isOpen ? `the books of ${health.company}` : health.message });
  if (!isOpen) return;
  const key = trialKey(randomBytes(KEY_BYTES));
  const prepared = await adapter.prepare({ key, journal });
  const posted = prepared.outcome === 'prepared' ? await adapter.post(prepared.prepared) : prepared;
  const isTaken = TAKEN.has(posted.outcome) || isMeantDraft(adapter, posted.outcome);
  tell({ step: 'post', good: isTaken, says: `${saysOf(posted)}, under the key ${key}` });
  if (!isTaken && posted.outcome !== 'unknown') return;
  const entry = await readBack(adapter, key, tell);
  if (!entry) return;
  const differences = compareEntry(journal, entry, adapter.capabilities);
  const says = differences.length === 0 ? 'as it was sent' : differences.join('; ');
  tell({ step: 'compare', good: differences.length === 0, says });
  if (!adapter.capabilities.reverse) {
    tell({
      step: 'reverse',
      good: true,
      says: `not by this adapter: remove ${nameOf(entry.reference)} in the ERP`,
    });
    return;
  }
  const reversed = await adapter.reverse({
    ...{ key: trialKey(randomBytes(KEY_BYTES)), original: entry, journal, date: journal.postingDate },
    reason: 'A trial by ledgerbridge.',
  });
  const undo = reversed.outcome === 'posted' ? '' : `. Reverse ${nameOf(entry.reference)} by hand`;
  tell({ step: 'reverse', good: reversed.outcome === 'posted', says: `${saysOf(reversed)}${undo}` });
}

/** The ERP took it; some show it a little later. */
const TAKEN: ReadonlySet<string> = new Set(['posted', 'pending']);
const KEY_BYTES = 19;

/** Where people post in the ERP, a draft is all that an adapter makes. */
function isMeantDraft({ capabilities }: ErpAdapter, state: string): boolean {
  return state === 'draft' && capabilities.finality === 'draft';
}

function nameOf({ number, id }: ErpReference): string {
  return number ?? id;
}

async function readBack(adapter: ErpAdapter, key: string, tell: Told): Promise<ErpEntry | null> {
  let found: FindOutcome = { outcome: 'none' };
  for (let look = 0; look < LOOKS_MAX; look++) {
    found = await adapter.findByKey(key);
    if (found.outcome === 'one' && (found.entry.state !== 'draft' || isMeantDraft(adapter, 'draft'))) {
      tell({ step: 'find', good: true, says: `${nameOf(found.entry.reference)}, by its key` });
      return found.entry;
    }
    await SYSTEM_RUNTIME.timers.sleep(LOOK_EVERY_MS);
  }
  const says = found.outcome === 'none' ? 'nothing is found under the key' : `found: ${found.outcome}`;
  tell({ step: 'find', good: false, says: `${says}; look for ${key} in the ERP` });
  return null;
}

function saysOf(outcome: PostOutcome): string {
  if ('reference' in outcome) return `${outcome.outcome} as ${nameOf(outcome.reference)}`;
  return `${outcome.outcome}: ${outcome.message}`;
}

export function trialEntry({ rules }: Pick<Tenant, 'rules'>, date: string): Journal {
  const one = new Decimal(1);
  const none = new Decimal(0);
  const common = {
    account: rules.accounts.rounding,
    role: 'rounding',
    text: 'ledgerbridge: a trial',
  } as const;
  return {
    ...{ documentNo: 'TRIAL', externalReference: 'ledgerbridge-trial', description: 'ledgerbridge: a trial' },
    ...{ postingDate: date, documentDate: date, currency: 'ISK', exchangeRate: one },
    lines: [
      { ...common, debit: one, credit: none },
      { ...common, debit: none, credit: one },
    ],
  };
}
