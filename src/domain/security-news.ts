// What people should hear of at once because it may be the work of a thief: who may come in, and how. Read from the audit, so that nothing
// has to be told a second time where it happens.
export type SecurityNews =
  | { readonly code: 'ACCOUNT_LOCKED'; readonly login: string; readonly tries: number }
  /** `companies` is empty for all. */
  | {
      readonly code: 'ADMIN_MADE';
      readonly login: string;
      readonly by: string;
      readonly companies: readonly string[];
    }
  | {
      readonly code: 'TOKEN_MADE';
      readonly name: string;
      readonly role: string;
      readonly companies: readonly string[];
      readonly by: string;
    }
  | { readonly code: 'SECOND_FACTOR_OFF'; readonly login: string; readonly by: string };

export type SecurityCode = SecurityNews['code'];

/** The actions that may be one. */
export const SECURITY_ACTIONS = [
  'user.locked',
  'user.created',
  'user.changed',
  'user.second-factor-off',
  'token.created',
] as const;

interface Told {
  readonly action: string;
  readonly actor: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** null: nobody has to hear of it. */
export function securityNewsOf({ action, actor: by, subject, details }: Told): SecurityNews | null {
  switch (action) {
    case 'user.locked':
      return { code: 'ACCOUNT_LOCKED', login: subject, tries: Number(details['failedSignIns'] ?? 0) };
    case 'user.created':
    case 'user.changed': {
      const adminOf = details['adminOf'];
      return Array.isArray(adminOf)
        ? { code: 'ADMIN_MADE', login: subject, by, companies: namesIn(adminOf) }
        : null;
    }
    case 'user.second-factor-off':
      return { code: 'SECOND_FACTOR_OFF', login: subject, by };
    case 'token.created': {
      const [name, role] = [textIn(details['name']), textIn(details['role'])];
      return { code: 'TOKEN_MADE', name, role, companies: namesIn(details['companies']), by };
    }
    default:
      return null;
  }
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
