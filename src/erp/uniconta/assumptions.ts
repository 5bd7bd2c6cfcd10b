// Everything this adapter believes about Uniconta, in one place. `verified`: read in Uniconta's pages for developers or seen in code of
// others who use it. `assumed`: the pages are silent; the safest reading was taken. Change it here when a trial says otherwise.

/** Verified: HTTP Basic; the company stands before the user, and two zeros before the company. */
export const userName = (companyId: string, user: string): string => `00${companyId}/${user}`;

/** Verified: reading is `GET /odata/{company}/{entity}` with $filter, $orderby, $top, $skip, and answers `{"value": […]}`. */
export const PAGE_SIZE = 1_000;
export const PAGES_MAX = 1_000;

/** Verified: a list of records goes to `POST /api/Entities/InsertList/{entity}`. Assumed: it is taken whole or not at all. */
export const INSERT_LIST = 'InsertList';

/** Assumed: no interface for the web that posts a journal was found, so what is sent waits as lines of a journal. */
export const POSTS_FROM_OUTSIDE = false;

/** Verified (code of others): transactions are searched by `ReferenceNumber`. Assumed: it is that of the journal's line. */
export const REFERENCE_FIELD = 'ReferenceNumber';

/** Assumed: twenty characters for a reference, sixty for a text; texts are cut rather than refused. */
export const REFERENCE_LENGTH_MAX = 20;
export const TEXT_LENGTH_MAX = 60;

/** Assumed: what was inserted shows within a second. */
export const READ_BACK_PAUSES_MS = [0, 200, 800] as const;

/** Assumed: no limits are published. Few and slow is polite. */
export const CONCURRENCY = 2;
export const REQUESTS_PER_SECOND = 2;
