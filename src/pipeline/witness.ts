// A database can go back in time: a dump is restored, a standby that was behind is promoted, an old directory is put back. It has
// then forgotten requests that were sent, and does not know it. The witness stands outside of it and does.
import type { ClaimedPosting } from '../sync/posting-records.js';

export interface Witness {
  /**
   * The intent of this claim is on record, and nothing of it has left yet. False: the database has forgotten what it had on record
   * before; it is treated as restored from now on, and this must not be sent before a look.
   */
  trusts(claim: ClaimedPosting): Promise<boolean>;
}
