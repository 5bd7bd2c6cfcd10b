// Texts that name something, told apart by the compiler: a guid handed over where a key or the name of a tenant belongs does not
// compile. A plain text is still taken for any of them, since what comes from files, requests and rows is checked where it comes in;
// the mistake that this is against is the exchange of two of them on the way.
declare const NAMES: unique symbol;
type Name<Of extends string> = string & { readonly [NAMES]?: Of };

/** What the source calls a document, or what follows one. */
export type Guid = Name<'guid'>;
/** The file of the tenant, without its ending. */
export type TenantName = Name<'tenant'>;
/** What an entry is found by in an ERP (posting-key.ts). */
export type PostingKey = Name<'posting key'>;
/** `Y-m-d`, compared as text. */
export type IsoDate = Name<'day'>;
