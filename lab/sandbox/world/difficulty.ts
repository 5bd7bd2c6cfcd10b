// How much goes differently from the textbook. `tidy`: every document is handed to bookkeeping and can be booked under
// plain rules. `everyday`: with what real companies have. `troubled`: everyday, and one of each problem in problems.ts.

export interface Difficulty {
  /** Shares of all invoices. */
  readonly drafts: number;
  readonly cancelled: number;
  /** Entered days after their issue date. */
  readonly enteredLate: number;
  /** Share of credit notes whose original was then cancelled. */
  readonly creditedCancelled: number;
  /** Customers that pay no VAT whatever they buy. */
  readonly exemptCustomers: boolean;
  /** Shares of all costs. */
  readonly waitingForApproval: number;
  readonly approvedLate: number;
  readonly readByAi: number;
  readonly fromAbroad: number;
  /** Codes that plain rules send to a person. */
  readonly codesForReview: boolean;
  readonly problems: boolean;
}

const EVERYDAY: Difficulty = {
  drafts: 0.02,
  cancelled: 0.01,
  enteredLate: 0.08,
  creditedCancelled: 0.2,
  exemptCustomers: true,
  waitingForApproval: 0.08,
  approvedLate: 0.15,
  readByAi: 0.01,
  fromAbroad: 0.06,
  codesForReview: true,
  problems: false,
};

export const DIFFICULTIES = {
  tidy: {
    ...EVERYDAY,
    drafts: 0,
    cancelled: 0,
    creditedCancelled: 0,
    exemptCustomers: false,
    waitingForApproval: 0,
    readByAi: 0,
    fromAbroad: 0,
    codesForReview: false,
  },
  everyday: EVERYDAY,
  troubled: { ...EVERYDAY, problems: true },
} as const satisfies Record<string, Difficulty>;

export type DifficultyName = keyof typeof DIFFICULTIES;
