// Every case of the conformance suite as a test of its own, and the committed report kept equal to what really happened.
// `UPDATE_REPORTS=1 npx vitest run test/conformance` writes the reports anew, `npm run generate` the tables in docs/reference/adapters.md from them.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErpCapabilities } from '../../../src/erp/erp-adapter.js';
import {
  type CaseResult,
  readCapabilities,
  CONFORMANCE_CASES,
  runCase,
} from '../../../lab/kit/conformance/run-conformance.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';

/** `elsewhere`: cases that another mode of the same adapter shows, of the same code; `FULL=1` runs them in every mode. */
export function testConformance(target: ConformanceTarget, elsewhere: readonly string[] = []): void {
  const isLeftOut = (id: string) => process.env['FULL'] !== '1' && elsewhere.includes(id);
  describe(`${target.name} adapter`, () => {
    let bed: ConformanceBed;
    let capabilities: ErpCapabilities;
    // By case: one that is tried again is judged by its last try.
    const results = new Map<string, CaseResult>();

    beforeAll(async () => {
      bed = await target.open();
      capabilities = await readCapabilities(bed);
    });
    afterAll(() => bed.close());

    for (const each of CONFORMANCE_CASES)
      test.skipIf(isLeftOut(each.id))(each.title, async () => {
        const result = await runCase(target, bed, capabilities, each);
        results.set(each.id, result);
        const isGood = result.result === 'passed' || result.result === 'not-applicable';
        expect(isGood ? undefined : result.detail).toBeUndefined();
      });

    test('the committed report says what happened', () => {
      const path = new URL(`../../conformance/reports/${target.name}.json`, import.meta.url);
      const committed = JSON.parse(readFileSync(path, 'utf8')) as { cases: { id: string }[] };
      const cases = CONFORMANCE_CASES.map(({ id }) =>
        isLeftOut(id) ? committed.cases.find((each) => each.id === id) : results.get(id),
      );
      const report = { adapter: target.name, judge: target.judge, capabilities, cases };
      const text = `${JSON.stringify(report, null, 2)}\n`;
      if (process.env['UPDATE_REPORTS'] === '1') writeFileSync(path, text);
      expect(readFileSync(path, 'utf8')).toBe(text);
    });
  });
}
