// Two lines of one document may have the same item number: the same goods at two prices, or on two days. The documents call the number of a
// line "any unique SKU" and do not say unique among what. So the lines go out as their origin has them, and where the service surely refuses
// that, once more with the numbers told apart: no line is merged with another, so that no amount changes and no text is lost.
import type { TargetRequest } from '../service/invoicing-target.js';
import type { SubmissionRecord } from './records.js';

type Line = Readonly<Record<string, unknown>>;

function linesOf({ act, body }: TargetRequest): readonly Line[] {
  const { items } = body;
  return act !== 'delete' && Array.isArray(items) ? (items as readonly Line[]) : [];
}

const numberOf = (line: Line): string => String(line['item_number']);

export function repeatsNumbers(request: TargetRequest): boolean {
  const lines = linesOf(request);
  return new Set(lines.map(numberOf)).size < lines.length;
}

/** The first line keeps its number, the next has `-2` after it, and so on; a number that another line has is passed over. */
export function withNumbersApart(request: TargetRequest): TargetRequest {
  const lines = linesOf(request);
  const taken = new Set(lines.map(numberOf));
  const seen = new Set<string>();
  const items = lines.map((line) => {
    const number = numberOf(line);
    if (!seen.has(number)) {
      seen.add(number);
      return line;
    }
    const apart = firstFree(number, taken);
    taken.add(apart);
    return { ...line, item_number: apart };
  });
  return { ...request, body: { ...request.body, items } };
}

function firstFree(number: string, taken: ReadonlySet<string>): string {
  let nth = 2;
  while (taken.has(`${number}-${String(nth)}`)) nth++;
  return `${number}-${String(nth)}`;
}

/** As it goes out now: apart, where the one before had them repeated and surely was refused. */
export function asTaken(
  { request: before, outcome }: Pick<SubmissionRecord, 'request' | 'outcome'>,
  request: TargetRequest,
): TargetRequest {
  const wasRefused = before !== null && outcome === 'rejected' && repeatsNumbers(before);
  return wasRefused && repeatsNumbers(request) ? withNumbersApart(request) : request;
}
