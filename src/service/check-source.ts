// Tries a connection and says in plain words what works and what does not. It only asks; nothing is changed at the
// service. (A refresh of tokens may happen, as with any call.)
import { CodedError } from '../domain/errors/coded-error.js';
import type { SourceKind } from '../domain/source-document.js';
import { connectSource } from './connect-source.js';
import type { AccountIdentity, InvoicingSource } from './invoicing-source.js';
import type { SourceServices } from './source-services.js';
import {
  type AgentScope,
  BRIDGE_SCOPES,
  type SourceSettings,
  type Surface,
  surfaceOf,
} from './source-settings.js';

export interface SourceFinding {
  readonly severity: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do, for errors and warnings. */
  readonly remedy?: string;
}

export interface ListCheck {
  readonly kind: SourceKind;
  /** How many wait with the status Created; null when the list does not work. */
  readonly waiting: number | null;
}

export interface SourceReport {
  readonly environment: SourceSettings['environment'];
  readonly surface: Surface;
  readonly account: AccountIdentity | null;
  /** Granted scopes; null where there are none to grant (HTTP Basic). */
  readonly scopes: readonly string[] | null;
  readonly lists: readonly ListCheck[];
  readonly findings: readonly SourceFinding[];
}

/** Whose account it is, and which customers are tax exempt: used where granted, done without where not. */
const CUSTOMERS_SCOPE = 'manage_customers';
/** `sell_product` is for `export`. */
const USEFUL_SCOPES: readonly string[] = [
  ...BRIDGE_SCOPES,
  'dashboard_data',
  'sell_product',
  CUSTOMERS_SCOPE,
];

const SKEW_MS_NOTABLE = 30_000;
const SKEW_MS_BAD = 5 * 60_000;

/** `besides`: scopes that this tenant needs beside those of every bridge; `perhaps`: those that it may need. */
export async function checkSource(
  settings: SourceSettings,
  services: SourceServices,
  besides: readonly AgentScope[] = [],
  perhaps: readonly AgentScope[] = [],
): Promise<SourceReport> {
  const findings: SourceFinding[] = [];
  const about = { environment: settings.environment, surface: surfaceOf(settings) };
  const scopes = await checkScopes(settings, services, { besides, perhaps }, findings);
  const source = await attempt(findings, () => Promise.resolve(connectSource(settings, services)));
  if (source === null) return { ...about, account: null, scopes, lists: [], findings };
  try {
    const account = await attempt(findings, () => source.hello());
    if (account !== null) findings.push(...judgeAccount(account));
    const lists: ListCheck[] = [];
    // Where hello fails the lists fail alike; one sentence about it is enough.
    const kinds = account === null ? [] : (['invoice', 'cost'] as const);
    for (const kind of kinds) lists.push(await checkList(source, kind, findings));
    return { ...about, account, scopes, lists, findings };
  } finally {
    await source.close();
  }
}

function judgeAccount(account: AccountIdentity): SourceFinding[] {
  const name = account.name === '' ? 'the account' : account.name;
  return [
    { severity: 'ok', message: `signed in to ${name} (${account.registrationNo})` },
    judgeClock(account.clockSkewMs),
  ];
}

function judgeClock(skewMs: number | null): SourceFinding {
  if (skewMs === null) {
    const message = 'the service sends no Date header, so the clocks cannot be compared';
    return { severity: 'warning', message, remedy: 'Make sure that this machine keeps its time (NTP).' };
  }
  const seconds = Math.round(skewMs / 1000);
  const apart = `the service’s clock is ${String(Math.abs(seconds))} s ${seconds < 0 ? 'behind' : 'ahead of'} ours`;
  if (Math.abs(skewMs) < SKEW_MS_NOTABLE) return { severity: 'ok', message: `the clocks agree: ${apart}` };
  const severity = Math.abs(skewMs) < SKEW_MS_BAD ? 'warning' : 'error';
  return {
    severity,
    message: apart,
    remedy: 'Set the clock of this machine (NTP); dates and tokens depend on it.',
  };
}

async function checkScopes(
  settings: SourceSettings,
  services: SourceServices,
  { besides, perhaps }: { readonly besides: readonly AgentScope[]; readonly perhaps: readonly AgentScope[] },
  findings: SourceFinding[],
): Promise<readonly string[] | null> {
  if (settings.auth.type !== 'oauth') return null;
  const grant = (await services.grants?.store.read(services.tenantName)) ?? null;
  if (grant === null) return [];
  const needed = [...new Set([...BRIDGE_SCOPES, ...besides])];
  const missing = needed.filter((scope) => !grant.scopes.includes(scope));
  const granted = `the grant allows ${grant.scopes.join(', ')}`;
  const login = `Run \`ledgerbridge auth login ${services.tenantName}\` with source.auth.scopes as needed.`;
  if (missing.length === 0) findings.push({ severity: 'ok', message: granted });
  else {
    findings.push({
      severity: 'error',
      message: `${granted}, and lacks ${missing.join(', ')}`,
      remedy: login,
    });
  }
  if (!grant.scopes.includes(CUSTOMERS_SCOPE)) {
    findings.push({
      severity: 'ok',
      message: `without ${CUSTOMERS_SCOPE} customers are not looked up: an invoice with taxed lines and no VAT is parked for a person`,
    });
  }
  const idle = grant.scopes.filter((scope) => ![...USEFUL_SCOPES, ...besides, ...perhaps].includes(scope));
  if (idle.length > 0) {
    const message = `the grant allows more than the bridge uses: ${idle.join(', ')}`;
    findings.push({
      severity: 'warning',
      message,
      remedy: `Ask for ${needed.join(', ')} only, so that a stolen token can do less.`,
    });
  }
  return grant.scopes;
}

const PLURAL: Readonly<Record<SourceKind, string>> = { invoice: 'invoices', cost: 'costs' };

async function checkList(
  source: InvoicingSource,
  kind: SourceKind,
  findings: SourceFinding[],
): Promise<ListCheck> {
  const query = { kind, accountingStatus: 'Created' } as const;
  const checked = await attempt(findings, async () => {
    const waiting = await source.count(query);
    const page = await source.list(query, 1);
    return { waiting, page };
  });
  if (checked === null) return { kind, waiting: null };
  const { waiting, page } = checked;
  findings.push({
    severity: 'ok',
    message: `${PLURAL[kind]} can be listed; ${String(waiting)} wait to be booked`,
  });
  const [problem] = page.problems;
  if (problem !== undefined) {
    const message = `${String(page.problems.length)} of the first ${PLURAL[kind]} cannot be read: ${problem.problem}`;
    findings.push({
      severity: 'warning',
      message,
      remedy: 'They will be parked one by one; the others are not affected.',
    });
  }
  return { kind, waiting };
}

/** What the client throws is a finding here, so that everything that can be known is known at once. */
async function attempt<T>(findings: SourceFinding[], act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const message = `${error.message} (${error.code})`;
    findings.push({ severity: 'error', message, remedy: error.definition.remedy });
    return null;
  }
}
