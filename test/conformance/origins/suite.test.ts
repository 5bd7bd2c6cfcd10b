// Every origin in the box, with every kind of record that it can hold, held to what the port promises.
import { describe, expect, test } from 'vitest';
import { SUBMISSION_KINDS } from '../../../src/domain/submission.js';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { ORIGIN_CASE_IDS, type OriginTarget } from '../../../src/origins/conformance/target.js';
import { csvTarget, jsonTarget, receiptTarget, ublTarget } from './folder-beds.js';
import { HOURS_TARGET } from './hours-bed.js';

const TARGETS: readonly OriginTarget[] = [
  ...SUBMISSION_KINDS.map(jsonTarget),
  ...(['invoice', 'customer', 'item', 'task', 'hours'] as const).map(csvTarget),
  ublTarget('order'),
  ublTarget('invoice'),
  receiptTarget(),
  HOURS_TARGET,
];

test('the suite has one case for each promise', () => {
  expect(ORIGIN_CASES.map(({ id }) => id).sort()).toEqual([...ORIGIN_CASE_IDS].sort());
});

describe.each(TARGETS.map((target) => [target.name, target] as const))('%s', (_name, target) => {
  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  });
});
