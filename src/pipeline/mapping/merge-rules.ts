// The rules of a company on top of those that it builds on.
export type RulesFragment = Readonly<Record<string, unknown>>;

/** Tables merge key by key, lists and single values replace, null takes an entry away. Validate the result, not the parts. */
export function deepMergeRules(base: RulesFragment, over: RulesFragment): RulesFragment {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue;
    const below = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isTable(value)) merged.set(key, deepMergeRules(isTable(below) ? below : {}, value));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isTable(value: unknown): value is RulesFragment {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
