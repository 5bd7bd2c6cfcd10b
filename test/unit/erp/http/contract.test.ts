import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../../../src/domain/secret.js';
import { httpConfiguration } from '../../../../src/erp/http/settings.js';
import { signatureHeaders } from '../../../../src/erp/http/client.js';
import { toRequest } from '../../../../src/erp/http/translate.js';
import { FOREIGN_COST, SALE } from '../../../support/erp/sample-journals.js';

const contract = parse(
  readFileSync(new URL('../../../../src/erp/http/openapi.yaml', import.meta.url), 'utf8'),
) as { components: { schemas: Record<string, object> } };

describe('the signed JSON contract', () => {
  test('the adapter sends what the contract describes, also with texts that are too long', () => {
    const ajv = new Ajv2020({ strict: false });
    const addFormats = addFormatsModule as unknown as (instance: Ajv2020) => void;
    addFormats(ajv);
    ajv.addSchema({ $id: 'contract', ...contract });
    const validate = ajv.getSchema('contract#/components/schemas/Journal')!;
    const long = {
      ...SALE,
      description: 'æ'.repeat(5000),
      lines: SALE.lines.map((l) => ({ ...l, text: 'ö'.repeat(5000) })),
    };
    for (const journal of [SALE, FOREIGN_COST, long]) {
      expect(
        validate(JSON.parse(toRequest('IAAAAAAAAAAAAAAAAAAA', journal))),
        JSON.stringify(validate.errors),
      ).toBe(true);
    }
  });

  test('a journal is written as it always was', async () => {
    const texts = [SALE, FOREIGN_COST].map((journal) => toRequest('IAAAAAAAAAAAAAAAAAAA', journal));
    const shown = texts.map((text) => JSON.stringify(JSON.parse(text), null, 2)).join('\n');
    await expect(`${shown}\n`).toMatchFileSnapshot('../../../fixtures/erp/http/journals.json');
  });

  test('the signature is over time, method, target and body, as the document says', () => {
    const headers = signatureHeaders(new Secret('secret'), new Date('2026-03-15T00:00:00.900Z'), {
      method: 'POST',
      target: '/v1/journals?x=1',
      body: '{"a":1}',
    });
    expect(headers['x-ledgerbridge-timestamp']).toBe('1773532800');
    // printf '%s' "1773532800.POST./v1/journals?x=1.$(printf '{"a":1}' | sha256sum | cut -d' ' -f1)" | openssl dgst -sha256 -hmac secret
    expect(headers['x-ledgerbridge-signature']).toBe(
      'v1=e8734db940a8249b98bae9bf98c2bf4ff62f9750572d5d89491a13a1f4db6737',
    );
  });

  test('settings that cannot work are explained', () => {
    const wrong = httpConfiguration.safeParse({
      baseUrl: 'http://erp.example.is',
      secret: 'hunter2',
      company: '',
      ledger: 'a b',
      keys: 'perhaps',
    });
    const messages = wrong.error!.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    expect(messages.join('\n')).toMatch(/baseUrl: must start with https/);
    expect(messages.join('\n')).toMatch(/secret: must name a secret, not contain one/);
    expect(messages.join('\n')).toMatch(/ledger: must have no spaces/);
    expect(messages).toHaveLength(5);
  });
});
