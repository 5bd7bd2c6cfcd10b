// What an ERP says, without what it leaves empty: an empty field says nothing.
export function given(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const text = value?.trim() ?? '';
    if (text !== '') filled[name] = text;
  }
  return filled;
}
