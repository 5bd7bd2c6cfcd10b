// The service takes whole quantities only (Document 1). A part of a unit is one line with its sum, which says in words how much it is: the
// same for every origin.
import { Decimal } from '../domain/decimal.js';

interface Line {
  readonly description: string;
  readonly qty: string;
  readonly uom: string;
  readonly unit_price: string;
}

const PIECES = 'C62';
/** As many as a field of a record has. */
const DECIMALS_MAX = 10;
const SUM_MAX = new Decimal('1e15');

export function inWholeUnits<Of extends Line>(line: Of): Of {
  const [qty, price] = [new Decimal(line.qty), new Decimal(line.unit_price)];
  const sum = qty.times(price).toDecimalPlaces(DECIMALS_MAX);
  // A sum that no field takes is left for the service's rule to refuse.
  if (qty.isInteger() || sum.abs().gte(SUM_MAX)) return line;
  const counted = line.uom === PIECES ? qty.toFixed() : `${qty.toFixed()} ${line.uom}`;
  const description = `${line.description} (${counted} × ${price.toFixed()})`;
  return { ...line, description, qty: '1', uom: PIECES, unit_price: sum.toFixed() };
}
