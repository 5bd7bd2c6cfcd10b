// Projects whose files take long come first, and in a project its longest files: what begins last is short, so that no worker is left
// alone with a long one at the end. A worker keeps what it has imported as long as the next file is of the same project.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PROJECTS = ['conformance', 'e2e', 'simulation', 'integration', 'property', 'architecture', 'unit'];

/** Of those that take more than half a minute, by how long they take. The others come by their size. */
const LONGEST = [
  'conformance/tryton',
  'conformance/origins/tryton',
  'e2e/dashboard/every-page',
  'e2e/dashboard/people',
  'e2e/dashboard/mended',
  'e2e/engine/old-and-new',
  'e2e/dashboard/ways-in',
  'e2e/engine/soak',
  'e2e/demo/tutorial',
  'e2e/bench/bench',
  'simulation/protocol',
  'simulation/small-submissions',
  'integration/engine/backends',
  'integration/engine/killed',
  'integration/engine/outages',
  'integration/erp/adapter-skeleton',
  'integration/erp/books-agree',
  'integration/operations/every-operation',
  'integration/outgoing/killed',
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
