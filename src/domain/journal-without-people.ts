// A journal as it is kept when nothing requires the people in it any longer: accounts, amounts, dates and numbers stay, and whoever it was
// about does not. Works on the JSON, so that a journal of any version is left otherwise as it was.
type Json = Record<string, unknown>;

export function withoutPeople(text: string): string {
  const journal = JSON.parse(text) as Json;
  const { attachments: _names, ...kept } = journal;
  return JSON.stringify({
    ...kept,
    ...('description' in journal ? { description: '' } : {}),
    ...(isObject(journal['party']) ? { party: nobody(journal['party']) } : {}),
    ...(Array.isArray(journal['parties']) ? { parties: [] } : {}),
    ...(Array.isArray(journal['lines']) ? { lines: journal['lines'].map(lineWithoutPeople) } : {}),
  });
}

function nobody({ kind }: Json): Json {
  return { kind, kennitala: '', name: '' };
}

function lineWithoutPeople(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { counterparty: _who, ...kept } = line;
  return { ...kept, text: '' };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
