// A trace that Quint wrote (Informal Trace Format), held against the functions that were made of the specification.
import { type Doc, restore, STEPS } from '../../lab/proof/specification/compiled-protocol.js';

interface State {
  readonly doc: Doc;
  readonly backup: Doc;
}

/** Pairs of states that no step of the functions leads between. */
export function isOneStep(trace: string): string[] {
  const { states } = JSON.parse(trace, plain) as { readonly states: readonly State[] };
  return states.slice(1).flatMap((after, index) => {
    const before = states[index];
    return before && isReached(before, after) ? [] : [JSON.stringify([before?.doc, after.doc])];
  });
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('#bigint' in value) return Number(value['#bigint']);
  if ('#map' in value) return Object.fromEntries(value['#map'] as [string, string][]);
  return value;
}

function isReached({ doc, backup }: State, after: State): boolean {
  const wanted = textOf(after.doc);
  const steps = Object.values(STEPS).flatMap(({ can, go }) =>
    ['a', 'b', ''].filter((worker) => can(doc, worker)).map((worker) => go(doc, worker)),
  );
  return [doc, restore(doc, backup), ...steps].some((one) => textOf(one) === wanted);
}

function textOf(doc: Doc): string {
  return JSON.stringify(
    Object.entries({
      ...doc,
      knows: Object.entries(doc.knows).toSorted(),
      says: Object.entries(doc.says).toSorted(),
    }).toSorted(),
  );
}
