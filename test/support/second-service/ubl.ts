import { day } from './dates.js';
import type { Cost } from './records.js';

const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** "UBL invoice XML", base64: what there is to say about a cost that was typed in. */
export function ublOf(cost: Cost): string {
  const vat = (cost.vat11 ?? 0) + (cost.vat24 ?? 0);
  const amount = cost.amount ?? 0;
  const money = (value: number) => `currencyID="${cost.currency}">${value.toFixed(2)}`;
  const root = cost.credit ? 'CreditNote' : 'Invoice';
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="${CAC}" xmlns:cbc="${CBC}">
  <cbc:ID>${cost.id}</cbc:ID>
  <cbc:IssueDate>${cost.issueDate ?? day(cost.created)}</cbc:IssueDate>
  <cbc:DocumentCurrencyCode>${cost.currency}</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity>
    <cbc:CompanyID schemeID="0196">${cost.supplierId ?? ''}</cbc:CompanyID>
  </cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>
  <cac:TaxTotal><cbc:TaxAmount ${money(vat)}</cbc:TaxAmount></cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:TaxExclusiveAmount ${money(amount - vat)}</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount ${money(amount)}</cbc:TaxInclusiveAmount>
    <cbc:PayableAmount ${money(amount)}</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>
</${root}>`;
  return Buffer.from(xml).toString('base64');
}
