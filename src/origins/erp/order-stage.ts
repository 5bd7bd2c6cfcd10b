// In ERPs where a quotation becomes the order (one record, in two stages), what a record at one stage is called.
export type Stage = 'order' | 'quote';

export function orderReference(stage: Stage, id: number): string {
  return `${stage} ${String(id)}`;
}

export function orderIdIn(stage: Stage, reference: string): string | null {
  const [, word, id] = /^([a-z]+) (\d{1,15})$/.exec(reference) ?? [];
  return word === stage && id !== undefined ? id : null;
}
