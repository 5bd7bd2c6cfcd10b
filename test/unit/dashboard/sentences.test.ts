import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ICELANDIC_INCIDENTS } from '../../../src/dashboard/language/icelandic-incidents.js';
import { inLanguage } from '../../../src/dashboard/language/sentences.js';
import { cureOf } from '../../../src/operations/reason-tables.js';
import { inBooksSentence } from '../../../src/operations/overview.js';
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
    const shown = [...Object.keys(REASONS), ...Object.keys(POSTING_REASONS), 'unheard of'].map(cureOf);
    expect(english.length).toBeGreaterThan(100);
    expect([...english, ...shown].filter((sentence) => icelandic(sentence) === sentence)).toEqual([]);
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
    const left = { reversed: 1, skipped: 2 };
    expect(icelandic(inBooksSentence(left))).toMatch(/^Hvert skjal .* bakfærð: 1 og sleppt: 2\.$/);
    expect(icelandic('nobody knows')).toBe('nobody knows');
    const english = 'The ERP refused the journal. Konto 9.';
    expect(inLanguage('en', english)).toBe(english);
  });
});

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));

/** The program's own text, where incidents are opened and settled. */
function programText(): string {
  return ['pipeline', 'store', 'operations']
    .flatMap((room) =>
      readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(SOURCE, room, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
    .map((file) => readFileSync(file, 'utf8').replaceAll('\\`', '`'))
    .join('\n');
}

describe('the texts of incidents', () => {
  it('are translated as the program writes them: no text on the left that nobody says any more', () => {
    const program = programText();
    const fixed = (english: string) =>
      english
        .split(/\{\w*\}|\b(?:invoices?|costs?|invoicing service|ERP|nothing|it was connected)\b/)
        .reduce((longest, part) => (part.trim().length > longest.length ? part.trim() : longest), '');
    expect(Object.keys(ICELANDIC_INCIDENTS).filter((english) => !program.includes(fixed(english)))).toEqual(
      [],
    );
  });

  it.each([
    [
      'invoice 1003: The document is in the books, but was deleted at the source.',
      'Reikningur 1003: Skjalið er í bókunum, en því var eytt í upprunanum.',
    ],
    [
      'Entry JE-1, key LB1-ABC. The source says Skipped.',
      'Færsla JE-1, lykill LB1-ABC. Upprunakerfið segir Skipped.',
    ],
    [
      'nordur always has documents, and has had none since 2026-11-01',
      'nordur fær alltaf skjöl en hefur ekkert fengið síðan 2026-11-01',
    ],
    [
      'nordur was not swept completely since 2026-11-01 12:30',
      'nordur hefur ekki verið lesið til enda síðan 2026-11-01 12:30',
    ],
    [
      'Look at its connection: ledgerbridge tenant check nordur; then: ledgerbridge sweep nordur',
      'Athugaðu tenginguna: ledgerbridge tenant check nordur; svo: ledgerbridge sweep nordur',
    ],
    ['The ERP refuses the credentials of nordur', 'Bókhaldskerfið hafnar aðgangi nordur'],
    [
      '3 differences between source, bridge and ERP from 2026-11-01 to 2026-11-30',
      '3 frávik milli uppruna, brúar og bókhaldskerfis frá 2026-11-01 til 2026-11-30',
    ],
    [
      'The source counts 3 invoices as Posted, the bridge wrote 4. The ERP holds 2 entries under LB1-ABC.',
      'Upprunakerfið telur 3 reikninga sem Posted, brúin skrifaði 4. Bókhaldskerfið hefur 2 færslur undir LB1-ABC.',
    ],
    [
      'invoice 7 is posted as JE-7, but the ERP shows no entry under LB1-ABC.',
      'Reikningur 7 er bókaður sem JE-7, en bókhaldskerfið sýnir enga færslu undir LB1-ABC.',
    ],
    ['cost 0b2f was set to Posted by somebody else', 'Einhver annar setti kostnað 0b2f í Posted'],
    [
      'invoice 7: it is not known whether its reversal was booked',
      'Reikningur 7: ekki er vitað hvort bakfærslan var bókuð',
    ],
    ['Stopped after 3 pages with 200 documents.', 'Hætt eftir 3 síður með 200 skjölum.'],
  ])('say %s in Icelandic', (english, expected) => {
    expect(icelandic(english)).toBe(expected);
  });
});
