// Document 1, "Write rules": what is refused before a byte leaves, and by which rule.
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { checkCall } from '../../../src/service/check-call.js';
import { AGENT_ENDPOINTS } from '../../../src/service/agent-endpoints.js';
import { CREDENTIAL_ENDPOINTS } from '../../../src/service/credential-endpoints.js';
import type { AnyEndpoint, Endpoint } from '../../../src/service/endpoint.js';

const inline = {
  add_new: 1,
  item_number: 'A-1',
  description: 'Ráðgjöf',
  qty: 2,
  uom: 'HUR',
  unit_price: '10000.00',
  tax: 'S',
};
const customer = { name: 'Kaupandi ehf.', output_select: 3, email: 'bokhald@example.is' };
const dated = {
  amount: '24800.00',
  currency: 'ISK',
  issue_date: '2026-02-01',
  due_date: '2026-02-15',
  settlement_date: '2026-03-01',
  items: [inline],
  customer,
};
const invoice = { ...dated, type: 'invoice' };

const TODAY = '2026-02-10';

function breach(
  name: string,
  params: Record<string, unknown>,
  endpoints: Readonly<Record<string, AnyEndpoint>> = CREDENTIAL_ENDPOINTS,
): { code: string; message: string; rules: unknown } {
  const endpoint = endpoints[name];
  if (endpoint === undefined) throw new Error(`there is no ${name}`);
  try {
    checkCall(endpoint as Endpoint, params, () => TODAY);
  } catch (error) {
    if (error instanceof CodedError) {
      return { code: error.code, message: error.message, rules: error.details['rules'] };
    }
    throw error;
  }
  return { code: 'fine', message: '', rules: [] };
}

const ofInvoice = (changes: Record<string, unknown>) =>
  breach('create-invoice', { data: { ...invoice, ...changes } });

describe('write rules of an invoice', () => {
  it('lets a correct invoice through', () => {
    expect(ofInvoice({})).toMatchObject({ code: 'fine' });
  });

  it.each([
    ['2: an amount that is a króna off', { amount: '24801.00' }, [2], /24801.*24800/],
    ['3: a due date before the issue date', { due_date: '2026-01-31' }, [3], /issue_date/],
    ['3: a settlement date before the due date', { settlement_date: '2026-02-14' }, [3], /settlement_date/],
    ['3: no settlement date', { settlement_date: undefined }, [3], /required/],
    [
      '3: a settlement date before the issue date that due_date defaults to',
      { due_date: undefined, settlement_date: '2026-01-01' },
      [3],
      /due_date 2026-02-01/,
    ],
    [
      '3: a due date before today, which issue_date defaults to',
      { issue_date: undefined, due_date: '2026-02-09' },
      [3],
      /issue_date 2026-02-10 is after due_date 2026-02-09/,
    ],
    [
      '3: a settlement date before today, which both other dates default to',
      { issue_date: undefined, due_date: undefined, settlement_date: '2026-02-09' },
      [3],
      /due_date 2026-02-10 is after settlement_date/,
    ],
    [
      '4: an inline line without item_number',
      { items: [{ ...inline, item_number: undefined }] },
      [4],
      /item_number/,
    ],
    ['4: a line that is neither', { items: [{ ...inline, add_new: undefined }] }, [4], /neither guid/],
    ['4: a line that is both', { items: [{ ...inline, guid: 'abc' }] }, [4], /choose one/],
    ['5: a credit note of nothing', { type: 'credit' }, [5], /ref_invoice_guid/],
    ['5: an invoice that names an original', { ref_invoice_guid: 'abc' }, [5], /type credit only/],
    ['6: delivery by e-mail without an address', { customer: { ...customer, email: '' } }, [6], /email/],
    [
      '6: an e-invoice without a trading partner',
      { customer: { ...customer, output_select: 2 } },
      [6],
      /trading_partner_id/,
    ],
    ['6: nobody to send it to', { customer: {} }, [6], /guid of an existing customer/],
    ['flags: claim and paid', { is_claim: true, mark_paid: true }, ['flags'], /is_claim and mark_paid/],
    ['flags: a way of payment for what is not paid', { method_payment: 1 }, ['flags'], /mark_paid/],
  ])('refuses rule %s', (_rule, changes, rules, message) => {
    const refused = ofInvoice(changes);
    expect(refused).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules });
    expect(refused.message).toMatch(message);
    expect(refused.message).toMatch(/^create-invoice was not sent\. (Write rule \d|Rule on )/);
  });

  it('adds up in decimals: ten times 0.1 at 24 % is 1.24', () => {
    const items = Array.from({ length: 10 }, (_, n) => ({
      ...inline,
      item_number: `A-${String(n)}`,
      qty: 1,
      unit_price: '0.1',
    }));
    expect(ofInvoice({ items, amount: new Decimal('1.24'), currency: 'EUR' })).toMatchObject({
      code: 'fine',
    });
  });

  it('takes discounts on a line as percent or as price', () => {
    const percent = { ...inline, discount: 10, discount_type: 1 };
    const price = { ...inline, discount: 2000, discount_type: 0 };
    expect(ofInvoice({ items: [percent], amount: '22320' })).toMatchObject({ code: 'fine' });
    expect(ofInvoice({ items: [price], amount: '22320' })).toMatchObject({ code: 'fine' });
  });

  it('leaves the amount to the service where it cannot know the prices', () => {
    expect(ofInvoice({ items: [{ guid: 'abc', qty: 3 }], amount: 5 })).toMatchObject({ code: 'fine' });
  });

  it('lets a credit note inherit the customer', () => {
    expect(ofInvoice({ type: 'credit', ref_invoice_guid: 'abc', customer: undefined })).toMatchObject({
      code: 'fine',
    });
  });

  it.each([
    ['an unknown field', { amout: 1 }, /amout/i],
    ['an unknown currency', { currency: 'XXX' }, /currency/],
    ['an unknown unit', { items: [{ ...inline, uom: 'PCS' }] }, /items\.0\.uom/],
    ['half a piece', { items: [{ ...inline, qty: '0.5' }] }, /items\.0\.qty/],
    ['no lines', { items: [] }, /items/],
    ['a day that does not exist', { issue_date: '2026-02-30' }, /issue_date/],
  ])('refuses %s as a parameter', (_what, changes, message) => {
    expect(ofInvoice(changes)).toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
    expect(ofInvoice(changes).message).toMatch(message);
  });
});

describe('write rules of a customer', () => {
  const ofCustomer = (changes: Record<string, unknown>) =>
    breach('create-customer', { data: { ...customer, ...changes } });

  it('wants the bare kennitala as trading partner', () => {
    const routed = { output_select: '2', trading_partner_id: '0196:4504013150' };
    expect(ofCustomer(routed)).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules: [6] });
    expect(ofCustomer({ ...routed, trading_partner_id: '4504013150' })).toMatchObject({ code: 'fine' });
  });

  it('needs no e-mail when it is printed', () => {
    expect(ofCustomer({ output_select: 4, email: undefined })).toMatchObject({ code: 'fine' });
  });

  it('blocks a kennitala of the wrong form, and lets a wrong checksum pass', () => {
    expect(ofCustomer({ registration_no: '123' })).toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
    expect(ofCustomer({ registration_no: '120160-3389' })).toMatchObject({
      code: 'SOURCE_PARAMETERS_INVALID',
    });
    expect(ofCustomer({ registration_no: '5305750299' })).toMatchObject({ code: 'fine' });
  });
});

const order = {
  amount: '24800.00',
  currency: 'ISK',
  settlement_date: 14,
  kennitala: '4504013150',
  items: [inline],
};
const recurring = {
  ...dated,
  recurring_name: 'Áskrift',
  recurring_interval: 'monthly',
  recurring_start_date: '2026-03-01',
};
const agentCustomer = {
  kennitala: '4504013150',
  name: 'Kaupandi ehf.',
  output_select: 3,
  lang: 'is',
  currency: 'ISK',
  email: 'bokhald@example.is',
};

const CREATES: readonly [string, Readonly<Record<string, AnyEndpoint>>, string, object][] = [
  ['order', CREDENTIAL_ENDPOINTS, 'create-order-invoice', order],
  ['draft', CREDENTIAL_ENDPOINTS, 'create-draft-invoice', order],
  ['recurring', CREDENTIAL_ENDPOINTS, 'create-recurring-invoice', recurring],
  ['agent’s invoice', AGENT_ENDPOINTS, 'create-invoice', invoice],
  ['agent’s quote', AGENT_ENDPOINTS, 'create-quote', invoice],
  ['agent’s recurring', AGENT_ENDPOINTS, 'create-recurring-invoice', recurring],
];

describe.each(CREATES)('write rules of the %s', (_what, endpoints, name, body) => {
  const judged = (changes: Record<string, unknown>) =>
    breach(name, { data: { ...body, ...changes } }, endpoints);

  it('let a correct one through', () => {
    expect(judged({})).toEqual({ code: 'fine', message: '', rules: [] });
  });

  it.each([
    ['2: an amount that is a króna off', { amount: '24801.00' }, [2]],
    ['4: a line that is neither', { items: [{ ...inline, add_new: undefined }] }, [4]],
    ['flags: claim and paid', { is_claim: true, mark_paid: true }, ['flags']],
  ])('refuse rule %s', (_rule, changes, rules) => {
    expect(judged(changes)).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules });
  });
});

const DATED = CREATES.filter(([, , , body]) => body !== order);

describe.each(DATED)('dates and customer of the %s', (_what, endpoints, name, body) => {
  it('refuse rule 3: dates out of order, and rule 6: nobody to send it to', () => {
    const judged = (changes: object) => breach(name, { data: { ...body, ...changes } }, endpoints);
    expect(judged({ due_date: '2026-01-31' })).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules: [3] });
    expect(judged({ customer: {} })).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules: [6] });
  });
});

describe('a template of the future', () => {
  it('is not held against today', () => {
    const data = { ...recurring, issue_date: undefined, due_date: undefined, settlement_date: '2026-02-01' };
    expect(breach('create-recurring-invoice', { data })).toMatchObject({ code: 'fine' });
  });
});

describe('write rules of an agent’s customer', () => {
  const ofCustomer = (changes: Record<string, unknown>) =>
    breach('create-customer', { data: { ...agentCustomer, ...changes } }, AGENT_ENDPOINTS);

  it('let a correct one through', () => {
    expect(ofCustomer({})).toMatchObject({ code: 'fine' });
  });

  it.each([
    ['delivery by e-mail without an address', { email: undefined }],
    ['an e-invoice without a trading partner', { output_select: 2 }],
    ['a trading partner with a scheme', { output_select: 2, trading_partner_id: '0196:4504013150' }],
  ])('refuse rule 6: %s', (_what, changes) => {
    expect(ofCustomer(changes)).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules: [6] });
  });

  it.each(['kennitala', 'name', 'output_select', 'lang', 'currency'])('want %s', (field) => {
    expect(ofCustomer({ [field]: undefined })).toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
  });

  it('judge of a change only what is sent', () => {
    const change = (data: object) => breach('update-customer', { guid: 'abc', data }, AGENT_ENDPOINTS);
    expect(change({ name: 'Annað nafn' })).toMatchObject({ code: 'fine' });
    expect(change({ trading_partner_id: '0196:1' })).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules: [6] });
  });
});

describe('write rules of a cost', () => {
  const pdf = { fileName: 'kvittun.pdf', content: Buffer.from('%PDF-1.4 …') };
  const cost = {
    date: '2026-02-01',
    amount: '12400',
    how_paid: 3,
    supplier_name: 'Birgir ehf.',
    supplier_id: '4504013150',
    type: '2353',
    vat_24: '2400',
  };
  const ofCost = (changes: Record<string, unknown>) => breach('create-cost-adv', { ...cost, ...changes });

  it('lets a correct cost through', () => {
    expect(ofCost({ file: pdf, credit_note: 1 })).toMatchObject({ code: 'fine' });
  });

  it.each([
    ['a negative amount, also of a credit note', { amount: '-12400', credit_note: 1 }, [8]],
    ['more VAT than the amount can hold', { vat_24: '2500' }, [8]],
    ['negative VAT', { vat_24: '0', vat_11: '-5' }, [8]],
    ['a file of another type', { file: { ...pdf, fileName: 'kvittun.exe' } }, ['attachment']],
    [
      'a file that only claims its type',
      { file: { fileName: 'mynd.png', content: pdf.content } },
      ['attachment'],
    ],
    [
      'a file over 5 MB',
      { file: { fileName: 'a.pdf', content: Buffer.alloc(5 * 1024 * 1024 + 1) } },
      ['attachment'],
    ],
    ['an empty file', { file: { fileName: 'a.pdf', content: Buffer.alloc(0) } }, ['attachment']],
  ])('refuses %s', (_what, changes, rules) => {
    expect(ofCost(changes)).toMatchObject({ code: 'SOURCE_WRITE_RULE', rules });
  });

  it.each([
    ['a category name for a code', { type: 'Items' }],
    ['a code that is not in the list', { type: '1234' }],
    ['a way of payment that does not exist', { how_paid: 5 }],
    ['an amount that is not a number', { amount: '12.400,00' }],
  ])('refuses %s as a parameter', (_what, changes) => {
    expect(ofCost(changes)).toMatchObject({ code: 'SOURCE_PARAMETERS_INVALID' });
  });
});

describe('the period of summaries', () => {
  it.each([
    [{ year: 2026 }, 'fine'],
    [{ year: 2026, month: 2 }, 'fine'],
    [{ year: 2026, from_month: 1, to_month: 3 }, 'fine'],
    [{ from_date: '2026-01-01', to_date: '2026-02-01' }, 'fine'],
    [{}, 'SOURCE_WRITE_RULE'],
    [{ year: 2026, month: 2, from_month: 1 }, 'SOURCE_WRITE_RULE'],
    [{ month: 2 }, 'SOURCE_WRITE_RULE'],
  ])('%j is %s', (params, code) => {
    expect(breach('invoice-summaries', params).code).toBe(code);
  });
});
