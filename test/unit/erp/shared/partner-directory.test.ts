import { describe, expect, it } from 'vitest';
import type { JournalParty } from '../../../../src/domain/journal.js';
import { type Answer, orFailure } from '../../../../src/erp/answer.js';
import { createPartnerDirectory, partnerOfLine } from '../../../../src/erp/partner-directory.js';

const PARTY: JournalParty = { kind: 'customer', kennitala: '6001012340', name: 'Nýr ehf.' };
const WANTED = { kind: 'customer', kennitala: '6001012340', party: PARTY } as const;

/** An ERP's partners, and how its answer to a creation reads. */
function book(options: { readonly mayCreate?: boolean; readonly creation?: Answer<string> } = {}) {
  const rows: string[] = [];
  let creations = 0;
  const directory = createPartnerDirectory<string>({
    mayCreate: options.mayCreate ?? true,
    async find() {
      await Promise.resolve();
      return [...rows];
    },
    async create(party) {
      creations++;
      await Promise.resolve();
      if (options.creation?.outcome !== 'rejected') rows.push(party.kennitala);
      return options.creation ?? { outcome: 'ok', value: party.kennitala };
    },
  });
  return { directory, rows, creations: () => creations };
}

describe('partner directory', () => {
  it('creates a new customer once for five documents at once', async () => {
    const { directory, rows, creations } = book();
    const answers = await Promise.all(Array.from({ length: 5 }, () => directory.resolve(WANTED)));
    expect(answers).toEqual(Array.from({ length: 5 }, () => '6001012340'));
    expect(creations()).toBe(1);
    expect(rows).toHaveLength(1);
  });

  it('looks a creation up whose answer was lost, instead of repeating it', async () => {
    const { directory, creations } = book({ creation: { outcome: 'unknown', message: 'lost' } });
    expect(await directory.resolve(WANTED)).toBe('6001012340');
    expect(await directory.resolve(WANTED)).toBe('6001012340');
    expect(creations()).toBe(1);
  });

  it('hands on why the ERP refused to create', async () => {
    const refusal = { outcome: 'rejected', code: 'invalid', message: 'no posting group' } as const;
    const { directory } = book({ creation: refusal });
    expect(await orFailure(() => directory.resolve(WANTED))).toEqual(refusal);
  });

  it('creates nothing that it may not, or whose name it does not know', async () => {
    const forbidden = book({ mayCreate: false });
    const refused = { code: 'unknown-party' };
    expect(await orFailure(() => forbidden.directory.resolve(WANTED))).toMatchObject(refused);
    const nameless = book();
    const { party: _party, ...unnamed } = WANTED;
    expect(await orFailure(() => nameless.directory.resolve(unnamed))).toMatchObject(refused);
    expect(forbidden.creations() + nameless.creations()).toBe(0);
  });

  it('calls for a person when there are two', async () => {
    const { directory, rows } = book();
    rows.push('a', 'b');
    const twice = { outcome: 'rejected', code: 'unknown-party' };
    expect(await orFailure(() => directory.resolve(WANTED))).toMatchObject(twice);
  });
});

describe('partner of a line', () => {
  const subledger = { customers: ['1500'], suppliers: ['2410'] };

  it('is told by the account, and named by the journal when it is the same', () => {
    const line = { account: '1500', counterparty: '600101-2340' };
    expect(partnerOfLine(subledger, line, { party: PARTY })).toEqual(WANTED);
    const others = { parties: [{ ...PARTY, kennitala: '4101212040', name: 'Annar ehf.' }, PARTY] };
    expect(partnerOfLine(subledger, line, others)).toEqual(WANTED);
    expect(partnerOfLine(subledger, { ...line, account: '2410' }, { party: PARTY })).toEqual({
      kind: 'supplier',
      kennitala: '6001012340',
    });
    expect(partnerOfLine(subledger, { ...line, account: '3000' }, { party: PARTY })).toBeUndefined();
  });
});
