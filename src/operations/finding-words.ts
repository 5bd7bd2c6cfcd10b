// What a connection check found, in the reader's language. Adapters say it as values; of one that writes English alone, a reader of
// another language is told from what its findings are about, and what it did not name is quoted as something that the connection said.
import type { CodedError } from '../domain/errors/coded-error.js';
import { maskSecrets } from '../domain/secret.js';
import type { Message } from '../domain/message.js';
import type { ErpHealth, Finding, Lacking } from '../erp/erp-adapter.js';
import { errorText } from '../language/coded.js';
import { asSaid, message } from '../language/messages.js';
import { type Language, say } from '../language/say.js';

export function findingInWords(language: Language, finding: Finding): Finding {
  if (language === 'en') return finding;
  const remedy = remedyOf(finding);
  return {
    ...finding,
    message: say(language, foundOf(finding)),
    ...(remedy && { remedy: say(language, remedy) }),
  };
}

type NotHealthy = Exclude<ErpHealth, { outcome: 'healthy' }>;

/** Why the ERP cannot be asked: whose fault it is in our words, what it said in its own. */
export function healthInWords(language: Language, health: NotHealthy): string {
  return maskSecrets(say(language, healthSaid(language, health)));
}

export function healthSaid(language: Language, health: NotHealthy): Message {
  return health.said ?? quotedHealth(language, health);
}

export function healthFinding(language: Language, health: NotHealthy): { message: string; remedy: string } {
  return {
    message: healthInWords(language, health),
    remedy: say(language, message(HEALTH_CURES[health.outcome])),
  };
}

const HEALTH_CURES = {
  auth: 'CORRECT_ERP_CREDENTIALS',
  transient: 'WAIT_FOR_THE_ERP',
  rejected: 'CORRECT_THE_CONNECTION',
} as const;

/** An adapter of another package gave a text alone. */
function quotedHealth(language: Language, health: NotHealthy): Message {
  const answer = asSaid(health.message);
  if (language === 'en') return answer;
  switch (health.outcome) {
    case 'auth':
      return message('SIDE_REFUSES', { side: 'erp', answer });
    case 'transient':
      return message('SIDE_SILENT', { side: 'erp', answer });
    case 'rejected':
      return message('CONNECTION_SAID', { side: 'erp', answer });
  }
}

/** What was thrown on the way: ours in the reader's words, another program's quoted. */
export function failureInWords(language: Language, side: 'source' | 'erp', error: CodedError): string {
  const answer = maskSecrets(error.message);
  if (language === 'en' || error.said !== undefined) return maskSecrets(errorText(language, error));
  switch (error.definition.disposition) {
    case 'pause-tenant':
      return say(language, message('SIDE_REFUSES', { side, answer }));
    case 'retry':
    case 'rate-limited':
      return say(language, message('SIDE_SILENT', { side, answer }));
    case 'look-up':
    case 'stop':
      return say(language, message('CONNECTION_SAID', { side, answer }));
  }
}

function foundOf({ severity, message: text, said, about, lacks }: Finding): Message {
  if (said) return said;
  if (lacks) return lackingInWords(lacks);
  if (severity === 'ok') return message(about === 'period' ? 'DAYS_ARE_OPEN' : 'ALL_IS_THERE');
  return message('CONNECTION_SAID', { side: 'erp', answer: asSaid(text) });
}

function lackingInWords(lacks: Lacking): Message {
  if ('account' in lacks) return message('LACKS_ACCOUNT', lacks);
  if ('dimension' in lacks) return message('LACKS_DIMENSION', lacks);
  if ('vatCode' in lacks) return message('LACKS_VAT_CODE', lacks);
  if ('currency' in lacks) return message('LACKS_CURRENCY', lacks);
  const [first = ''] = lacks.days;
  return message('LACKS_DAYS', { count: lacks.days.length, first, last: lacks.days.at(-1) ?? first });
}

function remedyOf({ cure, lacks, remedy }: Finding): Message | null {
  if (cure) return cure;
  if (lacks) return message('days' in lacks ? 'OPEN_THE_PERIOD' : 'MEND_IN_ERP_OR_RULES');
  return remedy === undefined ? null : message('MEND_THE_CONNECTION');
}
