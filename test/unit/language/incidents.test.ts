import { describe, expect, it } from 'vitest';
import { INCIDENTS } from '../../../src/language/incidents/english.js';
import { incident, incidentText, newIncidentText } from '../../../src/language/incidents/incident-text.js';
import { message } from '../../../src/language/messages.js';

const about = { severity: 'critical', fingerprint: 'p' } as const;
const booked = { kind: 'invoice', number: '1003', key: 'LB1-ABC', entry: 'JE-1' } as const;

describe('an incident', () => {
  it('is said in the language of the reader, with what is inside it', () => {
    const refused = incident(
      'WRITE_BACK_REFUSED',
      { ...booked, what: message('SOURCE_SAYS', { status: 'Skipped' }) },
      about,
    );
    expect(newIncidentText('en', refused)).toMatchObject({
      title: 'invoice 1003: The source does not take the accounting status.',
      details: 'Entry JE-1, key LB1-ABC. The source says Skipped.',
    });
    expect(newIncidentText('is', refused)).toMatchObject({
      title: 'Reikningur 1003: Upprunakerfið tekur ekki við bókhaldsstöðunni.',
      details: 'Færsla JE-1, lykill LB1-ABC. Upprunakerfið segir Skipped.',
    });
  });

  it('of a reconciliation names its first differences', () => {
    const counted = { kind: 'invoice', status: 'Posted', source: 3, local: 4 } as const;
    const differs = incident(
      'RECONCILIATION_DIFFERS',
      {
        tenant: 'nordur',
        from: '2026-11-01',
        to: '2026-11-30',
        count: 2,
        differences: [
          message('COUNT_DIFFERS', counted),
          message('ENTRY_TWICE', { count: 2, key: 'LB1-ABC' }),
        ],
      },
      about,
    );
    expect(newIncidentText('is', differs)).toMatchObject({
      title: '2 frávik milli uppruna, brúar og bókhaldskerfis frá 2026-11-01 til 2026-11-30',
      details:
        'Upprunakerfið telur 3 reikninga sem Posted, brúin skrifaði 4. Bókhaldskerfið hefur 2 færslur undir LB1-ABC.',
    });
  });

  it('says nothing in English to an Icelander, whatever its code', () => {
    const params = {
      ...booked,
      differences: [],
      what: message('CANNOT_BE_SEARCHED'),
      reference: 'x',
      origin: 'x',
      tenant: 'x',
      from: 'x',
      to: 'x',
      message: '',
      remedy: '',
      problems: '',
    };
    const left = (Object.keys(INCIDENTS) as (keyof typeof INCIDENTS)[])
      .map((code) => Object.values(newIncidentText('is', { code, params })).join(' '))
      .filter((text) => /\b(the|is|was|with|not|and|document|source)\b/i.test(text));
    expect(left).toEqual([]);
  });

  it('from before they were values, or of another version, is shown as it was written', () => {
    const written = { title: 'Something', details: 'happened.', nextStep: 'Look.' };
    const kept = { code: 'ORPHANED', tenantName: 'nordur', params: null, ...written };
    expect(incidentText('is', kept)).toEqual(written);
    expect(incidentText('is', { ...kept, code: 'FROM_THE_FUTURE', params: {} })).toEqual(written);
    expect(incidentText('is', { ...kept, code: 'RECONCILIATION_DIFFERS', params: {} })).toEqual(written);
  });
});
