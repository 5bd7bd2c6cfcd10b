// The answers that the API remembers for a day, so that the same write sent twice is done once.
export interface RememberedAnswer {
  readonly status: number;
  readonly response: string;
}

export interface AnswerRecords {
  /**
   * `begun`: do it. An answer: it was done. `running`: it is being done. `unknown`: it was begun long ago, and nobody knows whether it was
   * done. `other`: the key was used for something else.
   */
  begin(
    tokenId: string,
    key: string,
    requestHash: string,
  ): Promise<'begun' | 'running' | 'unknown' | 'other' | RememberedAnswer>;
  finish(tokenId: string, key: string, answer: RememberedAnswer): Promise<void>;
  /** Nothing was done: the key may be used again. */
  forget(tokenId: string, key: string): Promise<void>;
}
