// Moments as people and machines outside of the database get them.
export function instantOf(moment: Date): string {
  return moment.toISOString();
}

export function instantOrNull(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}
