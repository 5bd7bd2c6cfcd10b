// What an act is given once it was checked: the documents, the input and the person (run-act.ts).
import type { Act } from './act.js';
import type { Action, ActInput } from './acts.js';
import type { OperationsDeps } from './deps.js';

export interface ActRequest<Name extends Action = Action> {
  readonly deps: OperationsDeps;
  readonly name: Name;
  readonly ids: readonly string[];
  readonly input: ActInput<Name>;
  /** Who does it, and why. */
  readonly by: Act;
}

/** Of an act that takes a single document. */
export function onlyId({ ids: [id = ''] }: Pick<ActRequest, 'ids'>): string {
  return id;
}
