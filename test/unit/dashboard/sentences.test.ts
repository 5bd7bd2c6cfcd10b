import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ICELANDIC_ERRORS } from '../../../src/dashboard/language/icelandic-errors.js';
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
  ['of refusals and findings', ICELANDIC_ERRORS, ['domain', 'erp', 'operations', 'dashboard']],
] as const)('the texts %s', (_what, texts, rooms) => {
  it('are translated as the program writes them: no text on the left that nobody says any more', () => {
    const program = programText(rooms);
    expect(Object.keys(texts).filter((english) => !program.includes(fixed(english)))).toEqual([]);
  });
});
