// An origin of a simulated run: records that people put there, change and take back, and what they were told of each.
import { createHash } from 'node:crypto';
import type { SubmissionKind } from '../../../src/domain/submission.js';
import type { Origin, OriginRecord, Told } from '../../../src/origins/origin.js';
import { contentText, readContent } from '../../../src/origins/content.js';
import type { Kernel } from '../kernel.js';
import type { Life } from '../life.js';

export interface ShelfFlaws {
  /** A file is known by its name, and not by its bytes. */
  readonly namesFiles?: boolean;
}

export interface OnShelf extends OriginRecord {
  /** Its file; people put most records into one that is called like the shelf. */
  readonly slot: string;
  readonly at: number;
  /** Of each version, the first one first. */
  readonly versions: readonly string[];
}

/** Records that come at once with one look. */
const PAGE = 5;

export class Shelf {
  readonly name: string;
  readonly kernel: Kernel;
  readonly flaws: ShelfFlaws;
  readonly records = new Map<string, OnShelf>();
  readonly files = new Map<string, Uint8Array>();
  /** By mark, in the order in which it was said. */
  readonly told = new Map<string, Told[]>();
  faulty = true;
  #sequence = 0;

  constructor(name: string, kernel: Kernel, flaws: ShelfFlaws) {
    this.name = name;
    this.kernel = kernel;
    this.flaws = flaws;
  }

  put(
    kind: SubmissionKind,
    reference: string,
    value: Readonly<Record<string, unknown>>,
    more: Partial<OriginRecord> = {},
  ): void {
    const read = readContent(kind, value);
    if (read.outcome === 'problem') throw new Error(`${kind} ${reference}: ${read.words.message}`);
    const content = contentText(read.content);
    const slot = more.slot ?? this.name;
    const before = this.recordOf(kind, reference, slot)?.versions ?? [];
    this.records.set(`${kind} ${reference} ${slot}`, {
      ...{ kind, reference, place: `${slot}:${reference}`, content, ...more, slot },
      ...{ at: ++this.#sequence, versions: [...before, content] },
    });
    this.kernel.note(`${this.name} has ${kind} ${reference}, version ${String(before.length + 1)}`);
  }

  recordOf(kind: string, reference: string, slot: string = this.name): OnShelf | undefined {
    return this.records.get(`${kind} ${reference} ${slot}`);
  }

  /** A receipt is what its bytes are: renamed or copied it is the same one. */
  putFile(name: string, content: Uint8Array, value: Readonly<Record<string, unknown>>): void {
    const file = namedFile(name, content);
    this.files.set(name, content);
    const reference = this.flaws.namesFiles ? name : file.sha256;
    if (this.recordOf('cost', reference)) return;
    this.put('cost', reference, { ...value, file }, { place: name });
  }
}

/** As a record names it. */
export function namedFile(name: string, content: Uint8Array) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, sha256, bytes: String(content.length) };
}

export function originOf(shelf: Shelf, life: Life): Origin {
  const { kernel, records } = shelf;
  const ask = async () => {
    await life.step(kernel.between('the origin takes', 1, 30));
    if (shelf.faulty && kernel.chance('the origin does not answer', 0.03))
      throw new Error('the place cannot be read');
  };
  return {
    name: shelf.name,
    changes: async (cursor) => {
      await ask();
      const since = Number(cursor ?? '0');
      const all = [...records.values()].filter(({ at }) => at > since).sort((a, b) => a.at - b.at);
      const some = all.slice(0, PAGE);
      const next = String(some.at(-1)?.at ?? since);
      return { records: some, problems: [], looked: [], cursor: next, more: all.length > some.length };
    },
    read: async (kind, reference, place) => {
      await ask();
      const called = [...records.values()].filter((one) => one.kind === kind && one.reference === reference);
      return called.find((one) => one.place === place) ?? called[0] ?? null;
    },
    tell: async (told) => {
      await ask();
      shelf.told.set(told.mark, [...(shelf.told.get(told.mark) ?? []), told]);
    },
    file: async (place, named) => {
      await ask();
      return shelf.files.get(named?.name ?? place) ?? null;
    },
    close: () => Promise.resolve(),
  };
}
