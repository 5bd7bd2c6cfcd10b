// Who works out the VAT of a document. `explicit-lines`: the journal, VAT has lines of its own. `erp-splits`: the ERP, from a code on
// gross lines.
export const VAT_MODES = ['explicit-lines', 'erp-splits'] as const;
export type VatMode = (typeof VAT_MODES)[number];
