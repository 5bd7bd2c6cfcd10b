// Elements of a document by namespace and name, step by step.
import type { XmlElement } from './read-xml.js';
import { Decimal } from '../../../domain/decimal.js';

type Step = readonly [namespace: string, name: string];

export function at(from: XmlElement, ...steps: readonly Step[]): XmlElement | undefined {
  let element: XmlElement | undefined = from;
  for (const [namespace, name] of steps) {
    element = element?.children.find((child) => child.name === name && child.namespace === namespace);
  }
  return element;
}

export function all(from: XmlElement, namespace: string, name: string): XmlElement[] {
  return from.children.filter((child) => child.name === name && child.namespace === namespace);
}

/** Empty where it is not there. */
export function text(from: XmlElement, ...steps: readonly Step[]): string {
  return at(from, ...steps)?.text.trim() ?? '';
}

// Names and amounts of UBL, as its readers share them.

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
