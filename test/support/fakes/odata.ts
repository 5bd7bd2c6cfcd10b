// As much of OData's $filter as Business Central's clients use: comparisons, startswith, endswith, and, or, parentheses. A field that
// the entity lacks is refused, and so is an `or` between two fields, as the service does. A filter is read once for all its rows.
import { Decimal } from '../../../src/domain/money.js';

export type Entity = Readonly<Record<string, unknown>>;
type Predicate = (entity: Entity) => boolean;

export class ODataError extends Error {
  override readonly name = 'ODataError';
}

const TOKENS =
  /\s*('(?:[^']|'')*'|\(|\)|,|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|[A-Za-z][A-Za-z0-9]*|-?\d[\d.-]*)/gy;

export function filterOf(filter: string): Predicate {
  const tokens = tokenize(filter);
  const { fits } = disjunction(tokens);
  if (tokens.length > 0) throw new ODataError(`unexpected '${tokens[0] ?? ''}'`);
  return fits;
}

interface Part {
  readonly fits: Predicate;
  readonly fields: ReadonlySet<string>;
}

function tokenize(filter: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  let end = 0;
  for (let match = TOKENS.exec(filter); match; match = TOKENS.exec(filter)) {
    tokens.push(match[1] ?? '');
    end = TOKENS.lastIndex;
  }
  if (end !== filter.trimEnd().length) throw new ODataError(`syntax error at position ${end}`);
  return tokens;
}

function disjunction(tokens: string[]): Part {
  const parts = [conjunction(tokens)];
  while (tokens[0] === 'or') {
    tokens.shift();
    parts.push(conjunction(tokens));
  }
  const fields = fieldsOf(parts);
  if (parts.length > 1 && fields.size > 1) throw new ODataError(`no OR over ${[...fields].join(' and ')}`);
  return { fields, fits: (entity) => parts.some(({ fits }) => fits(entity)) };
}

function conjunction(tokens: string[]): Part {
  const parts = [term(tokens)];
  while (tokens[0] === 'and') {
    tokens.shift();
    parts.push(term(tokens));
  }
  return { fields: fieldsOf(parts), fits: (entity) => parts.every(({ fits }) => fits(entity)) };
}

function fieldsOf(parts: readonly Part[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ fields }) => [...fields]));
}

function term(tokens: string[]): Part {
  const first = tokens.shift() ?? '';
  if (first === '(') {
    const inner = disjunction(tokens);
    expect(tokens, ')');
    return inner;
  }
  if (first === 'startswith' || first === 'endswith') {
    expect(tokens, '(');
    const field = tokens.shift() ?? '';
    expect(tokens, ',');
    const part = textOf(tokens.shift() ?? '');
    expect(tokens, ')');
    const fits: Predicate =
      first === 'startswith'
        ? (entity) => String(valueOf(entity, field)).startsWith(part)
        : (entity) => String(valueOf(entity, field)).endsWith(part);
    return { fields: new Set([field]), fits };
  }
  return comparison(first, tokens.shift() ?? '', tokens.shift() ?? '');
}

const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  le: (order) => order <= 0,
};

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function comparison(field: string, operator: string, literal: string): Part {
  const fits = ORDERS[operator];
  if (!fits) throw new ODataError(`unknown operator '${operator}'`);
  const text = textOf(literal);
  const time = TIME.test(literal) ? Date.parse(literal) : null;
  return {
    fields: new Set([field]),
    fits(entity) {
      const left = valueOf(entity, field);
      if (typeof left === 'number') return fits(left - Number(literal));
      if (Decimal.isDecimal(left)) return fits(left.comparedTo(literal));
      if (time !== null || TIME.test(String(left))) {
        if (time === null) throw new ODataError(`${field} is compared with a DateTimeOffset only`);
        return fits(Date.parse(String(left)) - time);
      }
      // What is the same needs no collation, and of most rows nothing else is asked.
      const own = String(left);
      if (operator === 'eq') return own === text;
      return fits(own.localeCompare(text, 'en'));
    },
  };
}

function textOf(literal: string): string {
  return literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : literal;
}

function valueOf(entity: Entity, field: string): unknown {
  if (!(field in entity)) throw new ODataError(`Could not find a property named '${field}'`);
  return entity[field];
}

function expect(tokens: string[], wanted: string): void {
  const token = tokens.shift();
  if (token !== wanted) throw new ODataError(`expected '${wanted}', found '${token ?? 'the end'}'`);
}
