// Xero's filter language as far as the adapter uses it: conditions joined by AND inside, by OR outside. Anything else is a parse error,
// and so is a question about the text of a field that a row does not have: Xero itself falls over that.
const CONTAINS = /^(\w+)\.(Contains|StartsWith)\("([^"]*)"\)$/;
const EQUALS = /^(\w+)=="([^"]*)"$/;
const IS_THERE = /^(\w+)!=null$/;
const DAY = /^Date(>=|<=)DateTime\((\d+), (\d+), (\d+)\)$/;

export class UnreadableFilter extends Error {}

/** What is known of a row under these names; a day is written YYYY-MM-DD. */
export type FilteredRow = Readonly<Record<string, unknown>>;

export function fits(where: string, row: FilteredRow): boolean {
  return where.split(' OR ').some((group) =>
    withoutBrackets(group)
      .split(' AND ')
      .every((term) => holds(term, row)),
  );
}

function withoutBrackets(group: string): string {
  return /^\((.*)\)$/.exec(group)?.[1] ?? group;
}

function holds(term: string, row: FilteredRow): boolean {
  const there = IS_THERE.exec(term);
  if (there) return textOf(row, there[1]) !== null;
  const equals = EQUALS.exec(term);
  if (equals) return textOf(row, equals[1]) === equals[2];
  const contains = CONTAINS.exec(term);
  if (contains) {
    const text = textOf(row, contains[1]);
    if (text === null) throw new UnreadableFilter(`Object reference not set: ${term}`);
    const [, , method, wanted = ''] = contains;
    return method === 'Contains' ? text.includes(wanted) : text.startsWith(wanted);
  }
  const day = DAY.exec(term);
  if (!day) throw new UnreadableFilter(term);
  const [, sign, year, month, date] = day;
  const wanted = [year, month?.padStart(2, '0'), date?.padStart(2, '0')].join('-');
  const shown = String(row['Date']);
  return sign === '>=' ? shown >= wanted : shown <= wanted;
}

function textOf(row: FilteredRow, field = ''): string | null {
  const value = row[field];
  return typeof value === 'string' ? value : null;
}
