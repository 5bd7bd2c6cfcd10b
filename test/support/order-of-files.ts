// Projects whose files take long come first, and in a project its longest files: what begins last is short, so that no worker is left
// alone with a long one at the end. A worker keeps what it has imported as long as the next file is of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['conformance', 'e2e', 'simulation', 'integration', 'property', 'architecture', 'unit'];

/** Of those that take more than half a minute, by how long they take. The others come by their size. */
const LONGEST = [
  'conformance/tryton',
  'conformance/origins/tryton',
  'e2e/dashboard/every-page',
  'e2e/bench/bench',
  'e2e/dashboard/people',
  'e2e/engine/old-and-new',
  'e2e/dashboard/mended',
  'e2e/demo/tutorial',
  'e2e/engine/soak',
  'e2e/dashboard/ways-in',
  'e2e/dashboard/closing-story',
  'e2e/sandbox/load',
  'simulation/protocol',
  'simulation/specification',
  'simulation/small-worlds',
  'simulation/outgoing',
  'simulation/small-submissions',
  'integration/engine/killed',
  'integration/engine/outages',
  'integration/engine/backends',
  'integration/erp/adapter-skeleton',
  'integration/operations/every-operation',
  'integration/originals/carried',
  'integration/deploy/packed',
  'integration/outgoing/killed',
  'integration/outgoing/carried',
  'integration/deploy/roles',
  'integration/operations/replay-crash',
  'integration/mapping/throughput',
  'integration/store/backup',
  'integration/erp/books-agree',
  'integration/erp/books-in-tryton',
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
