// Upphæðir eins og þær eru skrifaðar hér: 405.444 eða 53.314,5. Það sem er ekki tala stendur eins og það er.
import { writtenNumber } from '../../domain/text.js';

const NUMBER = /^-?\d+(\.\d+)?$/;

export function written(amount: string): string {
  return NUMBER.test(amount) ? writtenNumber(amount) : amount;
}

/** Allar tölur með aurum í texta: „24 %: 42000.00“. */
export function amountsIn(text: string): string {
  return text.replaceAll(/-?\d+(?:\.\d+)?/g, (number) => (number.includes('.') ? written(number) : number));
}
