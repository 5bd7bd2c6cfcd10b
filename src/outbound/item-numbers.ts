// A line names its item by the number of its origin. Where that item is kept in step with the service, the line goes out under the number
// that the service has given it; any other keeps its own. Nothing waits for an item: a line is whole without it.
import { keyOf } from './key-of.js';
import type { SubmissionWork } from './submission-work.js';

interface WithLines<Line> {
  readonly lines: readonly Line[];
}

export async function withServiceNumbers<
  Line extends { readonly item_number: string },
  Content extends WithLines<Line>,
>(work: SubmissionWork, content: Content & WithLines<Line>): Promise<Content> {
  const { stage, tenant } = work;
  const keys = new Map(
    content.lines.map(({ item_number: number }) => [number, keyOf(work, 'item', number)] as const),
  );
  const known = await stage.store.createdNumbers(tenant.name, [...keys.values()]);
  if (known.size === 0) return content;
  const lines = content.lines.map((line) => {
    const number = known.get(keys.get(line.item_number) ?? '');
    return number === undefined ? line : { ...line, item_number: number };
  });
  return { ...content, lines };
}
