// v1 may gain fields and values without notice (Document 1, "Versioning" 3). Each newcomer is counted, and said once.
import type { SourceLog } from './source-services.js';
import type { WireShape } from './wire-shapes.js';
import { asText } from './wire-types.js';

const DISTINCT_MAX = 500;

export interface Newcomer {
  readonly name: string;
  readonly count: number;
}

export class GrowthWatch {
  readonly #log: SourceLog;
  readonly #counts = new Map<string, number>();

  constructor(log: SourceLog) {
    this.#log = log;
  }

  look(shape: WireShape<unknown>, record: Readonly<Record<string, unknown>>): void {
    for (const field of Object.keys(record)) {
      if (!shape.fields.has(field)) this.#count(`field ${shape.name}.${field.slice(0, 60)}`);
    }
    for (const [field, known] of Object.entries(shape.values)) {
      const value = asText(record[field]) ?? '';
      if (value !== '' && !known.includes(value)) {
        this.#count(`value ${shape.name}.${field}=${value.slice(0, 40)}`);
      }
    }
  }

  newcomers(): readonly Newcomer[] {
    return [...this.#counts].map(([name, count]) => ({ name, count }));
  }

  #count(name: string): void {
    const before = this.#counts.get(name);
    if (before !== undefined) {
      this.#counts.set(name, before + 1);
      return;
    }
    if (this.#counts.size >= DISTINCT_MAX) return;
    this.#counts.set(name, 1);
    this.#log.warn({ newcomer: name }, 'the invoicing service sent something its documents do not name');
  }
}
