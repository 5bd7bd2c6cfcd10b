import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MAP_EXIT } from '../../../src/cli/map.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { MAPPING_REASONS } from '../../../src/language/english/mapping-reasons.js';
import { WARNINGS } from '../../../src/language/english/posting-reasons.js';
import { REASONS, type ReasonCode, type WarningCode } from '../../../src/pipeline/mapping/outcome.js';
import { tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { fixture, posted, sampleRules } from './build.js';
import type { Example } from './compare-example.js';

const page = ['reference', 'explanation']
  .map((kind) => readFileSync(new URL(`../../../docs/${kind}/mapping.md`, import.meta.url), 'utf8'))
  .join('\n');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('docs/reference/mapping.md and docs/explanation/mapping.md', () => {
  test('lists every reason with its outcome, sentence and cure, and no other', () => {
    const listed = rows.filter((row) => row.length === 4 && row[1]?.startsWith('`'));
    const coded = Object.entries(MAPPING_REASONS).map(([code, { says, cure }]) => [
      REASONS[code as ReasonCode],
      `\`${code}\``,
      says,
      cure,
    ]);
    expect(listed.sort()).toEqual(coded.sort());
  });

  test('lists every warning with its sentence, and no other', () => {
    const listed = rows.filter((row) => row.length === 2 && /^`[A-Z_]+`$/.test(row[0] ?? ''));
    expect(listed.sort()).toEqual(
      Object.entries(WARNINGS)
        .map(([code, { says }]) => [`\`${code}\``, says])
        .sort(),
    );
  });

  test('names every group of rules', () => {
    const groups = Object.keys(tenantRules.shape).filter((key) => key !== '_comment');
    const listed = rows
      .map((row) => /^`(\w+)`$/.exec(row[0] ?? '')?.[1])
      .filter((name) => groups.includes(name ?? ''));
    expect(listed.sort()).toEqual(groups.sort());
  });

  test('says the exit codes', () => {
    for (const [outcome, code] of Object.entries(MAP_EXIT))
      expect(page).toContain(`${String(code)} ${outcome}`);
  });

  test.each(['INV-04', 'INV-34', 'COST-13'])('the table of %s is the journal that comes out', (id) => {
    const from = page.indexOf(`\`${id}\``);
    const table = page.slice(from).split('\n\n')[1] ?? '';
    const booked = table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
      .map(([account, , debit, credit, vatCode]) => [
        account,
        debit?.replace('.', ''),
        credit?.replace('.', ''),
        vatCode,
      ]);
    const example = (fixture('examples.json') as Example[]).find((each) => each.id === id);
    const { journal } = posted(mapRecord(example, new RuleLayers(sampleRules)));
    const written = (side: { isZero(): boolean; toFixed(): string }) => (side.isZero() ? '' : side.toFixed());
    expect(booked).toEqual(
      journal.lines.map((line) => [
        line.account,
        written(line.debit),
        written(line.credit),
        line.vatCode ?? '',
      ]),
    );
  });
});

describe('the codes of the specification', () => {
  const SPECIFIED: Record<string, readonly ReasonCode[]> = {
    defer: ['NOT_CREATED', 'DRAFT', 'NO_NUMBER', 'WAIT_FOR_ORIGINAL', 'XML_PENDING'],
    skip: ['CANCELLED', 'ZERO_AMOUNT'],
    park: [
      'UNMAPPED_DIMENSION',
      'UNMAPPED_COST_CODE',
      'UNMAPPED_HOW_PAID',
      'COST_CODE_NEEDS_REVIEW',
      'PERIOD_LOCKED',
      'FX_RATE_MISSING',
      'ORIGINAL_NOT_POSTED',
      'AMBIGUOUS_VAT',
      'ROUNDING_EXCEEDED',
      'TOO_FEW_LINES',
      'XML_UNREADABLE',
    ],
    reject: [
      'UNKNOWN_STATUS',
      'UNKNOWN_CURRENCY',
      'UNKNOWN_TYPE',
      'UNKNOWN_VAT_CODE',
      'NEGATIVE_INVOICE',
      'NEGATIVE_COST',
      'CREDIT_WITHOUT_REFERENCE',
      'VAT_TOTALS_MISMATCH',
      'TOTALS_MISMATCH',
      'FX_RATE_IMPLAUSIBLE',
      'XML_MISSING',
      'XML_MISMATCH',
      'VAT_IMPLAUSIBLE',
      'VAT_NOT_ALLOWED',
    ],
  };
  const WARNED: readonly WarningCode[] = [
    'TAX_EXEMPT_CUSTOMER',
    'LINES_DIFFER_FROM_TOTALS',
    'POSTING_DATE_MOVED',
    'KENNITALA_FORMAT',
    'KENNITALA_CHECKSUM',
    'SIGN_ASSUMED_INVOICE',
    'CLAIM_AMOUNTS_MISMATCH',
  ];

  test.each(Object.entries(SPECIFIED))('%s: each is there with that outcome', (outcome, specified) => {
    for (const code of specified) expect(REASONS[code]).toBe(outcome);
  });

  test('warnings are all there', () => {
    for (const code of WARNED) expect(WARNINGS[code].says).not.toBe('');
  });
});
