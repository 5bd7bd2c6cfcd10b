// One, or many.
import { count } from '../format.js';

/** 1, 21, 101 … take the singular; 11 does not. */
export const plural = (n: number, one: string, many: string) =>
  `${count(n)} ${n % 10 === 1 && n % 100 !== 11 ? one : many}`;
