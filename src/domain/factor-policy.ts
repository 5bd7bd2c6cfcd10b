// Whose accounts need a second factor: nobody's, those of admins, those of operators and admins, or everybody's.
export const FACTOR_POLICIES = ['none', 'admin', 'operator', 'everybody'] as const;
export type FactorPolicy = (typeof FACTOR_POLICIES)[number];
