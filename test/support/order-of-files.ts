// Projects whose files take long come first, and in a project its longest files: what begins last is short, so that no worker is left
// alone with a long one at the end. A worker keeps what it has imported as long as the next file is of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['conformance', 'e2e', 'simulation', 'integration', 'property', 'architecture', 'unit'];

/** Of those that take more than half a minute, by how long they take. The others come by their size. */
const LONGEST = [
  'conformance/tryton',
  'conformance/origins/tryton',
  'e2e/bench/bench',
  'e2e/dashboard/every-page',
  'e2e/dashboard/people',
  'e2e/demo/tutorial',
  'e2e/engine/old-and-new',
  'e2e/engine/soak',
  'e2e/sandbox/load',
  'e2e/dashboard/mended',
  'e2e/dashboard/closing-story',
  'e2e/dashboard/ways-in',
  'simulation/protocol',
  'simulation/small-worlds',
  'simulation/specification',
  'simulation/outgoing',
  'simulation/small-sweeps',
  'simulation/originals',
  'integration/engine/killed',
  'integration/outgoing/three-hundred',
  'integration/outgoing/killed',
  'integration/engine/retry-after',
  'integration/invoicing/one-account',
  'integration/engine/outages',
  'integration/engine/backends',
  'integration/erp/adapter-skeleton',
  'integration/deploy/packed',
  'integration/operations/every-operation',
  'integration/outgoing/carried',
  'integration/mapping/throughput',
  'integration/originals/carried',
  'integration/deploy/roles',
  'integration/operations/replay-crash',
  'integration/erp/books-in-tryton',
  'integration/store/embedded-postgres',
  'integration/erp/year-judged',
  'integration/store/backup',
  'integration/access/matrix',
  'integration/erp/books-agree',
  'integration/dashboard/door',
  'integration/operations/commands',
  'integration/outgoing/tryton-round-trip',
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
