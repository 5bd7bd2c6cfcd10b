import { describe, expect, it } from 'vitest';
import { inLanguage } from '../../../src/dashboard/language/sentences.js';
import { cureOf } from '../../../src/operations/reason-tables.js';
import { sentenceFor } from '../../../src/operations/explain.js';
import type { StoredDocumentRow } from '../../../src/operations/records.js';
import { POSTING_STATES } from '../../../src/domain/posting.js';
import { REASONS, WARNINGS } from '../../../src/pipeline/mapping/reasons.js';
import { POSTING_REASONS } from '../../../src/pipeline/posting/reasons.js';

const icelandic = (english: string) => inLanguage('is', english);

describe('the sentences about a document', () => {
  it('are all said in Icelandic: every reason, every cure, every warning', () => {
    const rows = [...Object.values(REASONS), ...Object.values(POSTING_REASONS)];
    const english = [...rows.flatMap(({ sentence, cure }) => [sentence, cure]), ...Object.values(WARNINGS)];
    expect(english.length).toBeGreaterThan(100);
    expect([...english, cureOf('unheard of')].filter((sentence) => icelandic(sentence) === sentence)).toEqual(
      [],
    );
  });

  it('are said in Icelandic for every state, together with what would move it', () => {
    const reason = {
      code: 'UNMAPPED_COST_CODE',
      subject: '9999',
      sentence: REASONS.UNMAPPED_COST_CODE.sentence,
    };
    for (const state of POSTING_STATES)
      for (const tries of [0, 1]) {
        const row = { state, tries, reason, erpNumber: '2026-09/10', sourceStatus: 'Created' };
        const said = icelandic(sentenceFor(row as unknown as StoredDocumentRow));
        expect(said, state).not.toMatch(/\b(the|It|is|books|source)\b/);
      }
  });

  it('keep what an ERP or a person wrote, and everything in English', () => {
    expect(
      icelandic(
        'The ERP refused the journal. Konto 9 is unknown. Read the message, mend what it names, then replay.',
      ),
    ).toBe(
      'Bókhaldskerfið hafnaði færslunni. Konto 9 is unknown. Lestu skilaboðin, lagaðu það sem þau nefna og keyrðu svo aftur.',
    );
    expect(icelandic('Paused by gudrun: fix the $& file')).toBe('Í hléi, gudrun: fix the $& file');
    expect(icelandic('12 documents need a person.')).toBe('12 skjöl bíða manneskju.');
    expect(icelandic('nobody knows')).toBe('nobody knows');
    const english = 'The ERP refused the journal. Konto 9.';
    expect(inLanguage('en', english)).toBe(english);
  });
});
