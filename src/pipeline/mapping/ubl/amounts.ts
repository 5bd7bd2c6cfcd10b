// Names and amounts of UBL, as its readers share them.
import { Decimal } from '../../../domain/decimal.js';
import type { XmlElement } from './read-xml.js';

export const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
export const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** Thrown while a file is read; readUbl turns it into an `unreadable` outcome. */
export class NotUbl extends Error {}

export const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;
const LONG_NUMBER = /^[+-]?\d{16,60}(\.\d{0,60})?$/;

export function money(element: XmlElement | undefined, name: string): Decimal | null {
  const written = element?.text.trim() ?? '';
  if (written === '') return null;
  if (LONG_NUMBER.test(written)) throw new NotUbl(`${name} is 10^15 or more, which is beyond what is booked`);
  if (!NUMBER.test(written)) throw new NotUbl(`${name} is not a number`);
  return new Decimal(written.replace(/^\+/, ''));
}
