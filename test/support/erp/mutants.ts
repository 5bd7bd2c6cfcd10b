// Adapters that break one promise, judged by the suite.
import { type CaseResult, CONFORMANCE_CASES, runCase } from '../../../lab/kit/conformance/run-conformance.js';
import type {
  ConformanceBed,
  ConformanceCaseId,
  ConformanceTarget,
} from '../../../lab/kit/conformance/target.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';

/** An adapter that is honest but for what a mutant puts in its place. */
export type Mutation = (honest: ErpAdapter) => Partial<ErpAdapter>;

export const NOTHING: Mutation = () => ({});

function mutated(bed: ConformanceBed, mutation: Mutation): ConformanceBed {
  return {
    ...bed,
    async connect(variant, shared) {
      const honest = await bed.connect(variant, shared);
      const lies = mutation(honest);
      return new Proxy(honest, {
        get(adapter, name) {
          const value: unknown = Reflect.get(name in lies ? lies : adapter, name);
          // Private fields want the real adapter for `this`.
          return typeof value === 'function' ? (value.bind(adapter) as unknown) : value;
        },
      });
    },
  };
}

/** Nothing is exempted by name. */
const TARGET: ConformanceTarget = {
  name: 'mutant',
  judge: 'a fake',
  notApplicable: {},
  open: () => Promise.reject(new RangeError('the bed is open')),
};

export async function judge(
  bed: ConformanceBed,
  id: ConformanceCaseId,
  mutation: Mutation,
): Promise<CaseResult> {
  const each = CONFORMANCE_CASES.find((one) => one.id === id);
  if (!each) throw new RangeError(`there is no case ${id}`);
  const erp = await bed.connect();
  await erp.close();
  return runCase(TARGET, mutated(bed, mutation), erp.capabilities, each);
}
