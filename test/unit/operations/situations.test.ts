import { describe, expect, it } from 'vitest';
import { POSTING_STATES } from '../../../src/domain/posting.js';
import { reason as reasonFor } from '../../../src/language/messages.js';
import { say } from '../../../src/language/say.js';
import { situationOf } from '../../../src/operations/explain.js';
import { healthOf } from '../../../src/operations/overview.js';
import type { StoredDocumentRow, StoredTenant } from '../../../src/operations/records.js';
import type { StateCounts } from '../../../src/operations/views/overview.js';
import type { Tenant } from '../../../src/tenants/tenant.js';

describe('how a document stands', () => {
  it('is said in Icelandic for every state, together with what would move it', () => {
    const reason = reasonFor('UNMAPPED_COST_CODE', { costCode: '9999', written: '9999' });
    for (const state of POSTING_STATES)
      for (const tries of [0, 1]) {
        const row = { state, tries, reason, erpNumber: '2026-09/10', sourceStatus: 'Created' };
        const said = say('is', situationOf(row as unknown as StoredDocumentRow));
        expect(said, state).not.toMatch(/\b(the|It|is|books|source)\b/);
      }
  });
});

describe('how a tenant is', () => {
  const states = Object.fromEntries(POSTING_STATES.map((state) => [state, 0])) as StateCounts;
  const outgoing = { waiting: 0, resting: 0, unconfirmed: 0, underWay: 0, lastSentAt: null };
  const fine = { needsYou: 0, waiting: 0, underWay: 0, states, outgoing, broken: null };
  const stored = {
    paused: null,
    breakers: [],
    planConfirmed: { at: '', by: 'x' },
    criticalIncidents: 0,
  } as unknown as StoredTenant;
  const file = { paused: false } as Tenant;
  const broken = (side: string, state: string, reason: string | null) =>
    ({ ...stored, breakers: [{ side, state, reason, since: '' }] }) as unknown as StoredTenant;

  it('counts one document as one', () => {
    const said = (needsYou: number) => say('en', healthOf(stored, file, { ...fine, needsYou }).said);
    expect([said(1), said(2)]).toEqual(['1 document needs a person.', '2 documents need a person.']);
  });

  it('is not well while documents wait, are on their way or need a person, nor with a critical incident', () => {
    const health = (numbers: Partial<typeof fine>) => healthOf(stored, file, { ...fine, ...numbers }).health;
    expect(health({})).toBe('ok');
    expect(health({ waiting: 200 })).toBe('waiting');
    expect(health({ waiting: 200, underWay: 3 })).toBe('working');
    expect(health({ waiting: 200, underWay: 3, needsYou: 1 })).toBe('needs-you');
    // Nor while something that goes the other way needs one.
    expect(health({ outgoing: { ...outgoing, waiting: 9 } })).toBe('ok');
    expect(health({ outgoing: { ...outgoing, resting: 1 } })).toBe('needs-you');
    expect(health({ outgoing: { ...outgoing, waiting: 9, unconfirmed: 9 } })).toBe('needs-you');
    const alarmed = healthOf({ ...stored, criticalIncidents: 1 }, file, { ...fine, underWay: 3 });
    expect([alarmed.health, say('en', alarmed.said)]).toEqual(['needs-you', 'A critical incident is open.']);
  });

  it('keeps what the other side said', () => {
    const { said } = healthOf(broken('erp', 'refused', 'HTTP 401: bad signature'), file, fine);
    expect(say('is', said)).toBe('Bókhaldskerfið hafnar aðganginum: „HTTP 401: bad signature“');
    const paused = { ...stored, paused: { at: '', by: 'gudrun', reason: 'fix the $& file' } };
    expect(say('is', healthOf(paused, file, fine).said)).toBe('Í hléi, gudrun: fix the $& file');
  });
});
