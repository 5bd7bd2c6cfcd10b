// What takes long comes first, whatever its kind: what begins last is short, so that no worker is left alone with a long one at the end.
// Services come before what only computes, and each of those by its size.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const COMPUTING = ['property', 'architecture', 'unit'];

/** Of those that take more than half a minute in CI, by how long they take. The others come by their size. */
const LONGEST = [
  'conformance/tryton',
  'simulation/protocol',
  'conformance/origins/tryton',
  'integration/engine/outages',
  'e2e/dashboard/every-page',
  'integration/outbound/killed',
  'e2e/bench/bench',
  'integration/outbound/three-hundred',
  'e2e/dashboard/people',
  'integration/erp/adapter-skeleton',
  'e2e/engine/old-and-new',
  'integration/operations/every-operation',
  'integration/engine/killed',
  'integration/deploy/packed',
  'simulation/outbound',
  'e2e/dashboard/mended',
  'simulation/specification',
  'simulation/small-worlds',
  'integration/closing/close',
  'integration/deploy/roles',
  'e2e/demo/tutorial',
  'integration/deploy/start-refused',
  'integration/originals/carried',
  'integration/store/embedded-users',
  'e2e/engine/soak',
  'e2e/sandbox/load',
  'integration/outbound/carried',
  'simulation/recorded',
  'integration/closing/tryton-closed',
  'integration/outbound/second-service-erps',
  'integration/engine/retry-after',
  'simulation/small-submissions',
  'e2e/dashboard/closing-story',
  'simulation/small-sweeps',
  'integration/mapping/throughput',
  'integration/engine/missing-secret',
  'integration/invoicing/one-account',
  'simulation/originals',
  'integration/erp/year-judged',
  'e2e/dashboard/ways-in',
  'integration/operations/replay-crash',
  'integration/erp/books-agree',
  'integration/operations/acts',
  'integration/erp/books-in-tryton',
  'integration/outbound/intake-killed',
  'integration/operations/search-plans',
  'integration/store/embedded-postgres',
];

export default class OrderOfFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sized = await super.sort(files);
    return sized.toSorted(
      (one, other) => projectRank(one) - projectRank(other) || fileRank(one) - fileRank(other),
    );
  }
}

function projectRank({ project }: TestSpecification): number {
  return COMPUTING.indexOf(project.name);
}

function fileRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONGEST.length : rank;
}
