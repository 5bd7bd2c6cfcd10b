// One tenant for people: its configuration with secrets masked, and whether both its ends answer. Asks only; nothing changes.
import { coded } from '../language/coded.js';
import { remedyText } from '../language/remedies.js';
import type { Language } from '../language/say.js';
import { failureInWords, findingInWords, healthFinding } from './finding-words.js';
import { message } from '../language/messages.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { Clock } from '../domain/runtime.js';
import { ruleAccounts } from '../pipeline/mapping/rules.js';
import type { TenantContext } from '../sync/tenant-context.js';
import { describeTenant, type TenantDescription } from '../tenants/describe-tenant.js';
import { AccountNames, type Names } from './account-names.js';
import type { ConnectedTenants } from './deps.js';

export interface ConnectionFinding {
  readonly side: 'source' | 'erp';
  readonly severity: 'ok' | 'warning' | 'error';
  readonly message: string;
  readonly remedy: string | null;
}

export interface TenantCards {
  /** null: there is no valid file for it. */
  describe(name: string): TenantDescription | null;
  checkConnection(name: string, language: Language): Promise<readonly ConnectionFinding[]>;
  /** As the ERP calls them, as far as it is known at once. */
  accountNames(name: string, accounts: readonly string[]): Promise<Names>;
}

export function createTenantCards(
  connections: ConnectedTenants,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): TenantCards {
  const accounts = new AccountNames(connections, clock);
  return {
    accountNames: (name, asked) => accounts.of(name, asked),
    describe: (name) => {
      const tenant = connections.tenant(name);
      return tenant && describeTenant(tenant, env);
    },
    checkConnection: async (name, language) => {
      if (!connections.tenant(name)) throw coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name }));
      const context = await connected(connections, name, language);
      if (!('source' in context)) return [context];
      const both = await Promise.all([
        guarded('source', language, () => askSource(context)),
        guarded('erp', language, () => askErp(context, language)),
      ]);
      return both.flat();
    },
  };
}

/** Connecting asks the source who it is; a refusal there is a finding too. */
async function connected(
  connections: ConnectedTenants,
  name: string,
  language: Language,
): Promise<TenantContext | ConnectionFinding> {
  try {
    return await connections.get(name);
  } catch (error) {
    return failed('source', language, error);
  }
}

async function askSource({ source }: TenantContext): Promise<ConnectionFinding[]> {
  const { name, registrationNo } = await source.hello();
  return [{ side: 'source', severity: 'ok', message: `${name} (${registrationNo})`, remedy: null }];
}

async function askErp({ erp, rules }: TenantContext, language: Language): Promise<ConnectionFinding[]> {
  const health = await erp.health();
  if (health.outcome !== 'healthy')
    return [{ side: 'erp', severity: 'error', ...healthFinding(language, health) }];
  const findings = await erp.validate(ruleAccounts(rules));
  return [
    { side: 'erp', severity: 'ok', message: health.company, remedy: null },
    ...findings
      .map((finding) => findingInWords(language, finding))
      .map(({ severity, message, remedy }) => ({
        side: 'erp' as const,
        severity,
        message,
        remedy: remedy ?? null,
      })),
  ];
}

async function guarded(
  side: ConnectionFinding['side'],
  language: Language,
  ask: () => Promise<ConnectionFinding[]>,
): Promise<ConnectionFinding[]> {
  try {
    return await ask();
  } catch (error) {
    return [failed(side, language, error)];
  }
}

/** What is thrown on the way is a finding, so that one broken end does not hide the other. */
function failed(side: ConnectionFinding['side'], language: Language, error: unknown): ConnectionFinding {
  if (!(error instanceof CodedError)) throw error;
  return {
    side,
    severity: 'error',
    message: failureInWords(language, side, error),
    remedy: remedyText(language, error),
  };
}
