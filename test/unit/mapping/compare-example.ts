// Field by field: what an example expects must be there; what it does not mention may be anything. Warnings are exact.
import type { Raw } from './build.js';

export interface Example extends Raw {
  id: string;
  title: string;
  expect: Raw;
}

export function differences(example: Example, mapped: Raw): string[] {
  const { warnings = [], reason, journal, settlement, ...rest } = example.expect;
  const found: string[] = [];
  compare('', rest, mapped, found);
  compare('reason', reason, mapped['reason'], found);
  compare(
    'warnings',
    [...(warnings as string[])].sort(),
    [...(mapped['warnings'] as string[])].sort(),
    found,
  );
  for (const [name, part] of Object.entries({ journal, settlement })) {
    if (part === undefined && mapped[name] !== undefined) found.push(`${name} was not expected`);
    else compare(name, part, mapped[name], found);
  }
  return found;
}

function compare(path: string, expected: unknown, actual: unknown, found: string[]): void {
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? (actual as unknown[]) : [];
    if (list.length !== expected.length)
      found.push(`${path}: ${String(list.length)} entries, not ${String(expected.length)}`);
    expected.forEach((entry, index) => compare(`${path}[${String(index)}]`, entry, list[index], found));
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [key, value] of Object.entries(expected))
      compare(`${path}.${key}`, value, (actual as Raw | undefined)?.[key], found);
  } else {
    const isSame =
      typeof expected === 'number'
        ? typeof actual === 'string' && Number(actual) === expected
        : actual === expected;
    if (!isSame) found.push(`${path}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
  }
}
