// Companies of one bookkeeper are configured much alike, and a process may know hundreds of them. Whatever is equal in what was read of
// their files is kept once. It cannot be changed any more: a change for one company would be one for all.

/** `own` stays as it is, each for itself. */
export function shareParts<Value>(values: readonly Value[], own: readonly unknown[] = []): Value[] {
  const left = new Set(own);
  const kept = new Map<string, unknown>();
  const numbers = new Map<unknown, number>();

  const keep = <Value>(key: string, make: () => Value): Value => {
    if (!kept.has(key)) kept.set(key, make());
    return kept.get(key) as Value;
  };
  /** Says of a part that was shared already which one it is: equal ones say the same, and no others. */
  const nameOf = (part: unknown): string => {
    if (typeof part === 'string') return JSON.stringify(part);
    if (part === null || SIMPLE.has(typeof part)) return `${typeof part} ${String(part)}`;
    const number = numbers.get(part) ?? numbers.size;
    numbers.set(part, number);
    return `#${String(number)}`;
  };
  const share = (value: unknown): unknown => {
    if (left.has(value)) return value;
    if (typeof value === 'string') return keep(JSON.stringify(value), () => value);
    if (Array.isArray(value)) {
      const parts: unknown[] = value.map(share);
      return keep(`[${parts.map(nameOf).join()}]`, () => Object.freeze(parts));
    }
    if (!isPlain(value)) return value;
    const parts = Object.entries(value).map(([name, part]) => [share(name) as string, share(part)] as const);
    const key = parts.map(([name, part]) => `${nameOf(name)}:${nameOf(part)}`).join();
    return keep(`{${key}}`, () => Object.freeze(Object.fromEntries(parts)));
  };
  return values.map((value) => share(value) as Value);
}

/** What has no identity of its own. */
const SIMPLE: ReadonlySet<string> = new Set(['number', 'boolean', 'bigint', 'undefined']);

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
