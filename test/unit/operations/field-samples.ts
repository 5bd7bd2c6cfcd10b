// For a field of each kind: what a person types, and the value that it stands for.
import type { Field } from '../../../src/operations/fields.js';

const SAMPLES = {
  flag: ['yes', true],
  text: ['K-4711', 'K-4711'],
  whole: ['7', 7],
  day: ['2026-01-31', '2026-01-31'],
  amount: ['1.000,50', '1000.50'],
  currency: ['eur', 'EUR'],
} as const;

export function sampleOf({ kind, values }: Field): { readonly typed: string; readonly value: unknown } {
  const [first = ''] = values;
  if (kind === 'choice') return { typed: first, value: first };
  if (kind === 'choices') return { typed: values.slice(0, 2).join(','), value: values.slice(0, 2) };
  const [typed, value] = SAMPLES[kind];
  return { typed, value };
}
