// "A handled failure": the service understood the request and says no. Thrown from anywhere below a route and turned into
// the surface's own error body in one place; it names the documented rule for the journal.
import type { RuleId } from '../rules.js';

export interface RefusalOptions {
  /** HTTP status; left out: the choice for handled failures. */
  readonly http?: number;
  readonly errorCode?: string;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly rule: RuleId;
  readonly http: number | null;
  readonly errorCode: string | null;

  constructor(rule: RuleId, message: string, options: RefusalOptions = {}) {
    super(message);
    this.rule = rule;
    this.http = options.http ?? null;
    this.errorCode = options.errorCode ?? null;
  }
}
