/** What somebody may do: look, act on documents and tenants, decide what money moves by itself. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type OperatorRole = (typeof ROLES)[number];
