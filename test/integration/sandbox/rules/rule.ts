// One sentence of a document and the check that the sandbox keeps it.
import type { TestSandbox } from '../sandbox-client.js';

export interface Rule {
  /** As the document writes it. */
  readonly endpoint: string;
  readonly rule: string;
  readonly check: (sandbox: TestSandbox) => Promise<void>;
}

export function rule(endpoint: string, sentence: string, check: Rule['check']): Rule {
  return { endpoint, rule: sentence, check };
}
