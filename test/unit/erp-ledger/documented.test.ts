import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  BEHAVIOUR_DEFAULT,
  FAULT_KINDS,
  IDEMPOTENCY,
  OPERATIONS,
} from '../../../lab/sandbox/erp-ledger/behaviour.js';

const page = readFileSync('docs/reference/sandbox-erp.md', 'utf8');
const contract = readFileSync('lab/sandbox/erp-ledger/openapi.yaml', 'utf8');
const codesInContract = [...contract.matchAll(/^ {16}- ([a-z_]+)$/gm)].map(([, code]) => code!);
const undocumented = (names: readonly string[]): string[] =>
  names.filter((name) => !page.includes(`\`${name}\``));

describe('docs/reference/sandbox-erp.md', () => {
  it('names every fault, promise, operation and setting', () => {
    expect(undocumented(Object.keys(FAULT_KINDS))).toEqual([]);
    expect(undocumented(IDEMPOTENCY)).toEqual([]);
    expect(undocumented(OPERATIONS)).toEqual([]);
    expect(undocumented(Object.keys(BEHAVIOUR_DEFAULT))).toEqual([]);
  });

  it('names every error code of the contract, and no fault that does not exist', () => {
    expect(codesInContract).toContain('closed_period');
    expect(undocumented(codesInContract)).toEqual([]);
    const table = page.slice(page.indexOf('| fault |'), page.indexOf('Chance is drawn'));
    const listed = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, fault]) => fault);
    expect(listed).toEqual(Object.keys(FAULT_KINDS));
  });
});
