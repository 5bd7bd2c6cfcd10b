// What becomes of a field that people change on both sides: no change of anybody is lost without a rule or a person having said so.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Agreed,
  agreedAsShown,
  agreeFields,
  type Decisions,
  hasServiceChanged,
  keptAtService,
  type Winner,
} from '../../../src/outbound/agree-fields.js';

const agree = (
  origin: Record<string, string>,
  service: Record<string, string>,
  { agreed = {}, decided = {}, winner = 'person' as Winner } = {},
) => agreeFields({ origin, service, agreed, decided, winnerOf: () => winner });

const CITY: Agreed = { city: { origin: 'Reykjavík', service: 'Reykjavík' } };

test('what only the origin changed is written, and then both are at one', () => {
  expect(agree({ city: 'Akureyri' }, { city: 'Reykjavík' }, { agreed: CITY })).toEqual({
    ...{ write: ['city'], kept: [], conflicts: [] },
    agreed: { city: { origin: 'Akureyri', service: 'Akureyri' } },
  });
});

test('what only the service changed stays, and is known to be apart', () => {
  const { write, kept, agreed } = agree({ city: 'Reykjavík' }, { city: 'Selfoss' }, { agreed: CITY });
  expect([write, kept, keptAtService(agreed)]).toEqual([[], ['city'], { city: 'Selfoss' }]);
});

test('what both changed alike is agreed upon', () => {
  const { write, conflicts, agreed } = agree({ city: 'Selfoss' }, { city: 'Selfoss' }, { agreed: CITY });
  expect([write, conflicts, agreed['city']?.service]).toEqual([[], [], 'Selfoss']);
});

test.each([
  ['origin', ['city'], [], 0],
  ['service', [], ['city'], 0],
  ['person', [], [], 1],
] as const)('where both changed, %s decides', (winner, write, kept, conflicts) => {
  const agreement = agree({ city: 'Akureyri' }, { city: 'Selfoss' }, { agreed: CITY, winner });
  expect([agreement.write, agreement.kept, agreement.conflicts.length]).toEqual([write, kept, conflicts]);
});

test('at the first meeting the origin is written, and where the service wins only what is empty there', () => {
  const origin = { city: 'Akureyri', zip: '600' };
  expect(agree(origin, { city: 'Selfoss' }).write).toEqual(['city', 'zip']);
  expect(agree(origin, { city: 'Selfoss' }, { winner: 'service' }).write).toEqual(['zip']);
});

test('what the service writes in its own way is no change of anybody', () => {
  const agreement = agree({ phone: '555 1234' }, { phone: '' });
  const agreed = agreedAsShown(agreement, { phone: '' }, { phone: '+3545551234' });
  expect(hasServiceChanged(agreed, [], { phone: '+3545551234' })).toBe(false);
  expect(agree({ phone: '555 1234' }, { phone: '+3545551234' }, { agreed }).write).toEqual([]);
});

test('what the service shows as it was just before is taken for what was written', () => {
  const agreement = agree({ city: 'Akureyri' }, { city: 'Reykjavík' }, { agreed: CITY });
  const agreed = agreedAsShown(agreement, { city: 'Reykjavík' }, { city: 'Reykjavík' });
  expect(agreed['city']).toEqual({ origin: 'Akureyri', service: 'Akureyri' });
});

interface Guards {
  readonly remembers: boolean;
  readonly decidesWhatWasSeen: boolean;
}

/** A field, two people who change it, and a bridge that looks now and then; whose change was lost without anybody having said so. */
class OneField {
  readonly #guards: Guards;
  readonly #side = { origin: 'a', service: 'a' };
  /** Changed and not looked at since. */
  readonly #fresh = { origin: false, service: false };
  #agreed: Agreed = { f: { origin: 'a', service: 'a' } };
  #decided: Decisions = {};
  #shown: { origin: string; service: string } | null = null;
  #count = 0;
  lost: string[] = [];

  constructor(guards: Guards) {
    this.#guards = guards;
  }

  change(side: 'origin' | 'service'): void {
    this.#side[side] = `${side}-${String(++this.#count)}`;
    this.#fresh[side] = true;
  }

  /** Of the two values that the person was shown. */
  decide(take: 'origin' | 'service'): void {
    if (!this.#shown) return;
    const seen = this.#guards.decidesWhatWasSeen ? this.#shown : this.#side;
    this.#decided = { f: { take, ...seen } };
    // What was shown and not taken is given up; what came after it is not.
    const other = take === 'origin' ? 'service' : 'origin';
    if (this.#side[other] === this.#shown[other]) this.#fresh[other] = false;
  }

  look(): void {
    const { origin, service } = this.#side;
    const agreed = this.#guards.remembers ? this.#agreed : {};
    const { write, conflicts, ...after } = agree(
      { f: origin },
      { f: service },
      { agreed, decided: this.#decided },
    );
    if (write.length > 0 && this.#fresh.service) this.lost.push(`the service's ${service}`);
    if (write.length > 0) this.#side.service = origin;
    if (write.length === 0 && conflicts.length === 0 && this.#fresh.origin && origin !== service)
      this.lost.push(`the origin's ${origin}`);
    this.#agreed = after.agreed;
    const [conflict] = conflicts;
    this.#shown = conflict ?? null;
    if (!conflict) {
      this.#decided = {};
      Object.assign(this.#fresh, { origin: false, service: false });
    }
  }
}

const STEPS = ['origin', 'service', 'look', 'take origin', 'take service'] as const;

function holds(guards: Guards): void {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 14 }), (steps) => {
      const field = new OneField(guards);
      for (const step of [...steps, 'look'])
        if (step === 'look') field.look();
        else if (step === 'origin' || step === 'service') field.change(step);
        else field.decide(step === 'take origin' ? 'origin' : 'service');
      return field.lost.length === 0;
    }),
    { seed: 17, numRuns: 2_000 },
  );
}

describe('in every order of changes, looks and decisions', () => {
  test('nobody loses a change without a person having said so', () => {
    holds({ remembers: true, decidesWhatWasSeen: true });
  });

  test('without what was agreed upon somebody does', () => {
    expect(() => holds({ remembers: false, decidesWhatWasSeen: true })).toThrow(/Property failed/);
  });

  test('where a decision is taken for other values than were shown somebody does', () => {
    expect(() => holds({ remembers: true, decidesWhatWasSeen: false })).toThrow(/Property failed/);
  });
});
