// One, or many.
import { count } from '../format.js';

export const plural = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;
