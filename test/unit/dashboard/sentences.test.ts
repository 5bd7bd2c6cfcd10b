import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ICELANDIC_ERRORS } from '../../../src/dashboard/language/icelandic-errors.js';
import { ICELANDIC_INCIDENTS } from '../../../src/dashboard/language/icelandic-incidents.js';
import { inLanguage } from '../../../src/dashboard/language/sentences.js';
import { OPERATIONS_ERRORS } from '../../../src/domain/errors/operations.js';
import { DASHBOARD_ERRORS } from '../../../src/domain/errors/dashboard.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { fixture, sampleRules } from '../mapping/build.js';
import type { Example } from '../mapping/compare-example.js';

const icelandic = (english: string) => inLanguage('is', english);

describe('why a line of a journal is as it is', () => {
  it('is said in Icelandic, for every line of every worked example', () => {
    const layers = new RuleLayers(sampleRules);
    const whys = (fixture('examples.json') as Example[])
      .flatMap((example) => mapRecord(example, layers).trace)
      .filter(({ line }) => line !== null)
      .map(({ why }) => why);
    expect(whys.length).toBeGreaterThan(100);
    expect([...new Set(whys)].filter((why) => icelandic(why) === why)).toEqual([]);
  });
});

describe('why an act was refused', () => {
  it('comes in Icelandic with what to do, for whatever an act in the dashboard may answer', () => {
    const remedies = Object.entries({ ...OPERATIONS_ERRORS, ...DASHBOARD_ERRORS })
      .filter(([code]) => !/^(API_|HTTP_|NO_RECORDS)/.test(code))
      .map(([, { remedy }]) => remedy);
    expect(remedies.length).toBeGreaterThan(20);
    const left = remedies.filter((remedy) => icelandic(remedy) === remedy);
    expect(left).toEqual([]);
    const said = icelandic(
      'The plan of hraun was not confirmed, because the ERP could not be asked: HTTP 500',
    );
    expect(said).toBe('Áætlun hraun var ekki staðfest því ekki náðist í bókhaldskerfið: HTTP 500');
  });
});

const SOURCE = fileURLToPath(new URL('../../../src', import.meta.url));

/** The program's own text. */
function programText(rooms: readonly string[]): string {
  return rooms
    .flatMap((room) =>
      readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(SOURCE, room, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !/generated|dashboard.language/.test(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll('\\`', '`'))
    .join('\n');
}

/** Its longest piece without what the program puts in. */
const fixed = (english: string) =>
  english
    .split(
      /\{\w*\}|\b(?:invoices?|costs?|invoicing service|ERP|nothing|it was connected|settlement|entry)\b|[.:]$/,
    )
    .reduce((longest, part) => (part.trim().length > longest.length ? part.trim() : longest), '');

describe.each([
  ['of incidents', ICELANDIC_INCIDENTS, ['pipeline', 'store', 'operations']],
  ['of refusals and findings', ICELANDIC_ERRORS, ['domain', 'erp', 'operations', 'dashboard']],
] as const)('the texts %s', (_what, texts, rooms) => {
  it('are translated as the program writes them: no text on the left that nobody says any more', () => {
    const program = programText(rooms);
    expect(Object.keys(texts).filter((english) => !program.includes(fixed(english)))).toEqual([]);
  });
});

describe('an incident', () => {
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
