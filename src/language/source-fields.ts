// What the fields of the invoicing service are called among people. One that has no word here is called by its own name.
type Language = 'en' | 'is';

const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    ...{ amount: 'amount', currency: 'currency', number: 'number', type: 'type', terms: 'terms' },
    ...{ issue_date: 'issue date', due_date: 'due date', settlement_date: 'final due date' },
    ...{ delivery_date: 'delivery date', created_date: 'day of creation', exchange_rate: 'exchange rate' },
    ...{ description: 'description', booking: 'booking text', cost_provide: 'cost place' },
    ...{ items: 'lines', customer: 'customer', refer_guid: 'credited invoice', cancelled: 'cancellation' },
    ...{ total_24vat: 'total at 24% VAT', total_11vat: 'total at 11% VAT', total_0vat: 'total at 0% VAT' },
    ...{ supplier_id: 'supplier', vat_S: 'VAT at 24%', vat_AA: 'VAT at 11%', credit_note: 'credit note' },
    ...{ cost_code: 'cost code', how_paid: 'way of payment', xml: 'e-invoice', project_name: 'project' },
  },
  is: {
    ...{ amount: 'fjárhæð', currency: 'gjaldmiðill', number: 'númer', type: 'tegund', terms: 'skilmálar' },
    ...{ issue_date: 'útgáfudagur', due_date: 'gjalddagi', settlement_date: 'eindagi' },
    ...{ delivery_date: 'afhendingardagur', created_date: 'skráningardagur', exchange_rate: 'gengi' },
    ...{ description: 'lýsing', booking: 'bókunartexti', cost_provide: 'kostnaðarstaður' },
    ...{
      items: 'línur',
      customer: 'viðskiptamaður',
      refer_guid: 'upphaflegur reikningur',
      cancelled: 'ógilding',
    },
    ...{ total_24vat: 'samtals í 24% VSK', total_11vat: 'samtals í 11% VSK', total_0vat: 'samtals í 0% VSK' },
    ...{ supplier_id: 'birgir', vat_S: '24% VSK', vat_AA: '11% VSK', credit_note: 'kreditnóta' },
    ...{
      cost_code: 'kostnaðarlykill',
      how_paid: 'greiðslumáti',
      xml: 'rafrænn reikningur',
      project_name: 'verk',
    },
  },
};

/** `fields`: their names with blanks between them. */
export function sourceFieldWords(language: Language, fields: string): string {
  return fields
    .split(' ')
    .map((field) => WORDS[language][field] ?? field)
    .join(', ');
}
