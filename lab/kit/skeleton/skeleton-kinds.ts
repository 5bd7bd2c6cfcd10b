/** What an ERP is like: it books in one request, keeps drafts first, or wants customers and suppliers of its own. */
export const SKELETON_KINDS = ['one-step', 'draft-then-post', 'partners'] as const;
export type SkeletonKind = (typeof SKELETON_KINDS)[number];
