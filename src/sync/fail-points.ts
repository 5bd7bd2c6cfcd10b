// A hook after each step, where a test kills or stops the process. In production it does nothing.

export const FAIL_POINTS = [
  'after-sweep-page',
  'after-claim',
  'after-map',
  'after-intent',
  'after-send',
  'after-posted',
  'after-source-check',
  'after-write-back',
  'after-acknowledge',
] as const;
/** Of the stage that carries originals. */
export const ORIGINAL_FAIL_POINTS = ['after-original-stored', 'after-attach-intent', 'after-attach'] as const;
/** Of the other direction. */
export const SUBMISSION_FAIL_POINTS = [
  'after-taken-in',
  'after-submission-claim',
  'after-file-uploaded',
  'after-submission-intent',
  'after-submission-sent',
  'after-submission-created',
  'after-origin-told',
] as const;
export type FailPoint =
  | (typeof FAIL_POINTS)[number]
  | (typeof ORIGINAL_FAIL_POINTS)[number]
  | (typeof SUBMISSION_FAIL_POINTS)[number];

/** Who reaches it, where the step is one tenant's. */
export interface Reaching {
  readonly tenantName: string;
  readonly kind?: string;
}

export interface FailPoints {
  reach(point: FailPoint, who?: Reaching): Promise<void>;
}

export const NO_FAIL_POINTS: FailPoints = { reach: () => Promise.resolve() };
