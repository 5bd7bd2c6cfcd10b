import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { mapRecord, plainOutcome, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { fixture, sampleRules } from './build.js';
import { differences, type Example } from './compare-example.js';

const examples = fixture('examples.json') as Example[];
const layers = new RuleLayers(sampleRules);

describe('worked examples of the specification', () => {
  test('are all here', () => expect(examples).toHaveLength(46));

  test.each(examples.map((example) => [example.id, example.title, example] as const))(
    '%s %s',
    (id, _title, example) => {
      const mapped = plainOutcome(id, mapRecord(example, layers), false);
      expect(differences(example, mapped)).toEqual([]);
    },
  );

  test('a comparison that finds nothing wrong with a wrong journal would be worthless', () => {
    const example = examples[0]!;
    const mapped = plainOutcome(example.id, mapRecord(example, layers), false) as {
      journal: { lines: { debit: string }[] };
    };
    mapped.journal.lines[0]!.debit = new Decimal(mapped.journal.lines[0]!.debit).plus(1).toFixed();
    expect(differences(example, mapped)).not.toEqual([]);
  });
});
