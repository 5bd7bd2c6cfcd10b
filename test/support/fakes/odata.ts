// As much of OData's $filter as Business Central's clients use: comparisons, startswith, and, or, parentheses. A field that
// the entity lacks is refused, as the service does.
import { Decimal } from '../../../src/domain/decimal.js';

export type Entity = Readonly<Record<string, unknown>>;

export class ODataError extends Error {
  override readonly name = 'ODataError';
}

const TOKENS = /\s*('(?:[^']|'')*'|\(|\)|,|[A-Za-z][A-Za-z0-9]*|-?\d[\d.-]*)/gy;

export function matches(filter: string, entity: Entity): boolean {
  const tokens = tokenize(filter);
  const result = disjunction(tokens, entity);
  if (tokens.length > 0) throw new ODataError(`unexpected '${tokens[0] ?? ''}'`);
  return result;
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

function disjunction(tokens: string[], entity: Entity): boolean {
  let result = conjunction(tokens, entity);
  while (tokens[0] === 'or') {
    tokens.shift();
    result = conjunction(tokens, entity) || result;
  }
  return result;
}

function conjunction(tokens: string[], entity: Entity): boolean {
  let result = term(tokens, entity);
  while (tokens[0] === 'and') {
    tokens.shift();
    result = term(tokens, entity) && result;
  }
  return result;
}

function term(tokens: string[], entity: Entity): boolean {
  const first = tokens.shift() ?? '';
  if (first === '(') {
    const inner = disjunction(tokens, entity);
    expect(tokens, ')');
    return inner;
  }
  if (first === 'startswith') {
    expect(tokens, '(');
    const field = valueOf(entity, tokens.shift() ?? '');
    expect(tokens, ',');
    const start = textOf(tokens.shift() ?? '');
    expect(tokens, ')');
    return String(field).startsWith(start);
  }
  const left = valueOf(entity, first);
  const operator = tokens.shift() ?? '';
  return compare(left, operator, tokens.shift() ?? '');
}

function compare(left: unknown, operator: string, literal: string): boolean {
  const isNumber = typeof left === 'number' || Decimal.isDecimal(left);
  const order = isNumber
    ? new Decimal(left).comparedTo(literal)
    : String(left).localeCompare(textOf(literal), 'en');
  if (operator === 'eq') return order === 0;
  if (operator === 'gt') return order > 0;
  if (operator === 'ge') return order >= 0;
  if (operator === 'le') return order <= 0;
  throw new ODataError(`unknown operator '${operator}'`);
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
