/** What is made of an object once, for as long as anybody holds the object: whatever else it takes goes with the object for good. */
export function onceOf<From extends object, Made, With extends unknown[]>(
  make: (from: From, ...given: With) => Made,
): (from: From, ...given: With) => Made {
  const made = new WeakMap<From, { readonly value: Made }>();
  return (from, ...given) => {
    const before = made.get(from);
    if (before) return before.value;
    const value = make(from, ...given);
    made.set(from, { value });
    return value;
  };
}
