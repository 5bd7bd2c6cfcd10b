// Stories of an exploration, for a test that fails.
import type { Exploration } from '../../lab/proof/explore/explore.js';

export function told({ stories }: Exploration): string {
  return stories.map(({ broken, events }) => [...broken, ...events].join('\n')).join('\n\n');
}
