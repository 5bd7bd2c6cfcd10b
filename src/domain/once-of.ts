/**
 * What is made of an object once, for as long as anybody holds the object: whatever else it takes goes with the object for good. It stands
 * with the object itself, where nothing that lists or copies fields sees it. In a WeakMap, which is old, it would outlive every quick
 * collection of garbage, and with it all that it holds: half of what a document leaves behind, copied twice and gone through by each full
 * collection.
 */
export function onceOf<From extends object, Made, With extends unknown[]>(
  make: (from: From, ...given: With) => Made,
): (from: From, ...given: With) => Made {
  const key = Symbol(make.name);
  // Of what nobody may change: settings, which are few and live long.
  const ofFrozen = new WeakMap<From, { readonly value: Made }>();
  return (from, ...given) => {
    const before = (from as Keeping<Made>)[key] ?? ofFrozen.get(from);
    if (before) return before.value;
    const made = { value: make(from, ...given) };
    if (Object.isExtensible(from)) Object.defineProperty(from, key, { value: made });
    else ofFrozen.set(from, made);
    return made.value;
  };
}

type Keeping<Made> = Record<symbol, { readonly value: Made } | undefined>;
