// Who a document is with: the same kennitala however it is written, and never the name of another company.
import { describe, expect, test } from 'vitest';
import { say } from '../../../src/language/say.js';
import {
  base64,
  codes,
  cost,
  invoice,
  map,
  posted,
  rulesWith,
  sampleRules,
  stopped,
  ublXml,
  type Raw,
  type UblShape,
} from './build.js';

const WRITTEN = ['5501192180', '550119-2180', '550119 2180', ' 55 01 19 - 2180 ', '550119\u20132180'];

describe.each(WRITTEN)('a kennitala written "%s"', (written) => {
  test('is its ten digits on the debt, where it stands on the cost', () => {
    const outcome = posted(map('cost', cost({ supplier_id: written, how_paid: 1 })));
    expect(outcome.journal.lines.at(-1)?.counterparty).toBe('5501192180');
    expect(outcome.journal.party?.kennitala).toBe('5501192180');
    expect(codes(outcome)).toEqual([]);
  });

  test.each(['CompanyID', 'EndpointID', 'PartyIdentification'])(
    'is its ten digits on the debt, where it is the %s of the e-invoice',
    (place) => {
      const element = {
        CompanyID: '',
        EndpointID: `<cbc:EndpointID schemeID="0196">${written}</cbc:EndpointID>`,
        PartyIdentification: `<cac:PartyIdentification><cbc:ID schemeID="0196">${written}</cbc:ID></cac:PartyIdentification>`,
      }[place];
      const shape: UblShape = { payable: 12400, taxes: [{ percent: 24, tax: 2400 }] };
      const xml = ublXml(place === 'CompanyID' ? { ...shape, kennitala: written } : shape).replace(
        '<cac:Party>',
        `<cac:Party>${element ?? ''}`,
      );
      const outcome = posted(map('cost', cost({ supplier_id: '', how_paid: 1, xml: base64(xml) })));
      expect(outcome.journal.lines.at(-1)?.counterparty).toBe('5501192180');
      expect(codes(outcome)).toEqual([]);
    },
  );

  test('is its ten digits on the claim, where it is the customer’s', () => {
    const outcome = posted(map('invoice', invoice({ customer: { name: 'A', registration_no: written } })));
    expect(outcome.journal.lines[0]?.counterparty).toBe('5501192180');
    expect(codes(outcome)).toEqual([]);
  });

  test('is meant by rules that write it otherwise', () => {
    const raw = cost({ supplier_id: written });
    expect(stopped(map('cost', raw, rulesWith({ skip: { suppliers: ['550119 2180'] } }))).reason).toBe(
      'SKIPPED_SUPPLIER',
    );
    const cases = [{ when: { supplier: '550119 - 2180' }, account: '6999' }];
    const dimensions = { bySupplier: { team: { '550119-2180': 'A' } } };
    const { journal } = posted(map('cost', raw, rulesWith({ cost: { cases }, dimensions })));
    expect(journal.lines[0]).toMatchObject({ account: '6999', dimensions: { team: 'A' } });
    const customer = { customer: { name: 'A', registration_no: written } };
    const skip = rulesWith({ skip: { customers: ['550119 2180'] } });
    expect(stopped(map('invoice', invoice(customer), skip)).reason).toBe('SKIPPED_CUSTOMER');
  });

  test('is no other supplier than the same on the e-invoice', () => {
    expect(map('cost', cost({ supplier_id: written }, { kennitala: '550119 2180' })).outcome).toBe('post');
    expect(map('cost', cost({ supplier_id: '550119-2180' }, { kennitala: written })).outcome).toBe('post');
  });

  test('of another supplier on the e-invoice parks the cost, with both in the message', () => {
    const raw = cost({ supplier_id: '4101212040', how_paid: 1 }, { kennitala: written });
    const { outcome, reason, why } = stopped(map('cost', raw));
    expect([outcome, reason]).toEqual(['park', 'SUPPLIER_MISMATCH']);
    for (const language of ['en', 'is'] as const)
      for (const said of ['4101212040', '5501192180', 'Birgir ehf.'])
        expect(say(language, why)).toContain(said);
  });
});

test('another supplier on the e-invoice parks before any amount is compared: the e-invoice may be another one’s', () => {
  const raw = cost({ supplier_id: '4101212040' }, { kennitala: '5501192180', payable: 99 });
  expect(stopped(map('cost', raw))).toMatchObject({ outcome: 'park', reason: 'SUPPLIER_MISMATCH' });
});

test.each<[string, Raw, Partial<UblShape>]>([
  ['the cost names none', { supplier_id: '' }, { kennitala: '5501192180' }],
  ['the e-invoice names none', { supplier_id: '4101212040' }, {}],
  [
    'the endpoint is another company’s, which sends for the supplier',
    { supplier_id: '5501192180' },
    { kennitala: '5501192180', party: '<cbc:EndpointID schemeID="0196">4101212040</cbc:EndpointID>' },
  ],
])('no other supplier is named where %s', (_what, over, ubl) => {
  expect(map('cost', cost(over, ubl), sampleRules).outcome).toBe('post');
});

test('the endpoint of another company does not tell who the supplier is where the company is named', () => {
  const party = '<cbc:EndpointID schemeID="0196">410121-2040</cbc:EndpointID>';
  const raw = cost({ supplier_id: '4101212040' }, { kennitala: '5501192180', party });
  expect(stopped(map('cost', raw)).reason).toBe('SUPPLIER_MISMATCH');
});
