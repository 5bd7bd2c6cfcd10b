// Projects whose files take long come first, and in a project its longest files: what begins last is short, so that no worker is left
// alone with a long one at the end. A worker keeps what it has imported as long as the next file is of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['conformance', 'e2e', 'simulation', 'integration', 'property', 'architecture', 'unit'];

/** Of those that take more than half a minute, by how long they take. The others come by their size. */
const LONGEST = [
  'conformance/tryton',
  'conformance/origins/tryton',
  'e2e/dashboard/every-page',
  'e2e/engine/old-and-new',
  'e2e/dashboard/people',
  'e2e/bench/bench',
  'e2e/demo/tutorial',
  'e2e/engine/soak',
  'e2e/dashboard/mended',
  'e2e/sandbox/load',
  'simulation/protocol',
  'simulation/outbound',
  'simulation/specification',
  'simulation/small-sweeps',
  'simulation/small-worlds',
  'integration/outbound/killed',
  'integration/outbound/three-hundred',
  'integration/erp/adapter-skeleton',
  'integration/operations/every-operation',
  'integration/deploy/packed',
  'integration/engine/killed',
  'integration/closing/close',
  'integration/engine/outages',
  'integration/mapping/throughput',
  'integration/outbound/carried',
  'integration/deploy/start-refused',
  'integration/originals/carried',
  'integration/store/embedded-postgres',
  'integration/dashboard/door',
  'integration/deploy/roles',
  'integration/erp/books-in-tryton',
  'integration/engine/retry-after',
  'integration/erp/books-agree',
  'integration/invoicing/one-account',
  'integration/operations/replay-crash',
  'integration/erp/year-judged',
  'integration/outbound/second-service-erps',
  'integration/engine/backends',
  'integration/store/backup',
  'integration/access/matrix',
  'integration/operations/commands',
  'integration/outbound/tryton-round-trip',
  'integration/outbound/receipts',
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
  return PROJECTS.indexOf(project.name);
}

function fileRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return rank === -1 ? LONGEST.length : rank;
}
