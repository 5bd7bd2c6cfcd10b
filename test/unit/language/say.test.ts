import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asWritten } from '../../../src/domain/message.js';
import { differenceCure } from '../../../src/language/difference-cures.js';
import { CLOSING } from '../../../src/language/english/trace.js';
import { ENGLISH } from '../../../src/language/english/index.js';
import { keptText, cureText, LANGUAGES, say, subjectText } from '../../../src/language/say.js';
import { message, reason } from '../../../src/language/messages.js';
import { readContent } from '../../../src/origins/content.js';

describe('a message', () => {
  it('is the same value in every language', () => {
    const waits = reason('FX_RATE_MISSING', { currency: 'EUR', date: '2026-01-31' });
    expect(waits).toEqual({
      code: 'FX_RATE_MISSING',
      subject: 'currency EUR',
      params: { currency: 'EUR', date: '2026-01-31' },
    });
    expect(say('en', waits)).toBe(
      'There is no exchange rate for the document. currency is EUR, issue_date 2026-01-31.',
    );
    expect(say('is', waits)).toBe(
      'Ekkert gengi er til fyrir skjalið. currency er EUR, issue_date 2026-01-31.',
    );
    expect(subjectText('is', waits)).toBe('gjaldmiðill EUR');
  });

  it('inside another one is said in the same language', () => {
    const parked = reason('OUTCOME_UNKNOWN', { what: message('ERP_CANNOT_TELL') });
    expect(say('en', parked)).toContain('can neither replay nor look up');
    expect(say('is', parked)).toContain('getur hvorki endurtekið né flett upp');
  });

  it('of a rule that a request breaks names the rule in both languages, and an older one is quoted', () => {
    const breaches = [message('RULE_BROKEN', { rule: 6, what: message('EMAIL_NEEDED') })];
    const broken = message('RULES_BROKEN', { call: 'create-customer', breaches });
    const refused = reason('SUBMISSION_BREACH', { problem: broken });
    expect(say('en', refused)).toBe(
      'It breaks a rule of the invoicing service, so it was not sent. create-customer was not sent. Write rule 6 (delivery needs an e-mail address or a trading partner): email is required unless output_select is 4.',
    );
    expect(say('is', refused)).toContain('Regla 6 (til afhendingar þarf netfang');
    expect(say('is', refused)).toContain('email þarf að fylgja nema output_select sé 4.');
    const older = reason('SUBMISSION_BREACH', { problem: 'customer is missing' });
    expect(say('en', older)).toMatch(/ customer is missing$/);
    expect(say('is', older)).toMatch(/ „customer is missing“$/);
  });

  it('writes amounts as Icelanders do, and shows nothing where nothing was said', () => {
    const mismatch = { amount: '53314.00', lines: '52080.50', totals: '24 %: 42000.00, 11 %: 0.00' };
    expect(say('is', reason('TOTALS_MISMATCH', mismatch))).toContain(
      'amount er 53.314, items með virðisaukaskatti gefa 52.080,5, total_24vat, total_11vat og total_0vat segja 24 %: 42.000, 11 %: 0.',
    );
    expect(keptText('is', '')).toBe('');
    expect(keptText('is', 'no')).toBe('„no“');
  });

  it('of a field that cannot be read says in both languages what it should have been', () => {
    const read = readContent('hours', { task: 'T-1', date: '2026-02-30', from: '11:00', pris: '1' });
    if (read.outcome !== 'problem') throw new Error('it was read');
    expect(read.words.message).toBe(
      'date is "2026-02-30", not a day like 2026-01-31 or 31.1.2026; to is missing; no such field: pris',
    );
    expect(say('is', read.words.said)).toBe(
      'date er „2026-02-30“, sem er ekki dagur eins og 2026-01-31 eða 31.1.2026; to vantar; óþekktur reitur: pris',
    );
  });

  it('says nothing in English to an Icelander, whatever its code', () => {
    const odd = (text: string) => /\b(the|is|was|with|not|and|document|source)\b/i.exec(text)?.[0];
    const params = new Proxy({}, { get: (_target, name) => (name === 'asWritten' ? undefined : 'X') });
    const left = Object.keys(ENGLISH)
      .map((code) => [code, say('is', { code, params }), cureText('is', code)] as const)
      .filter(([, ...texts]) => texts.some((text) => odd(text) !== undefined));
    expect(left).toEqual([]);
  });

  it('has a code of its own, in one table', async () => {
    const directory = new URL('../../../src/language/english/', import.meta.url);
    const rows: Readonly<Record<string, unknown>> = ENGLISH;
    const overwritten: string[] = [];
    for (const file of await readdir(directory)) {
      const compiled = `../../../src/language/english/${file.replace(/\.ts$/, '.js')}`;
      const tables = (await import(compiled)) as Readonly<Record<string, unknown>>;
      for (const table of Object.values(tables))
        for (const [code, row] of Object.entries(table as object))
          if (code in rows && rows[code] !== row) overwritten.push(code);
    }
    expect(overwritten).toEqual([]);
  });

  it('from before they were values is shown as it was written', () => {
    expect(say('is', { code: 'ERP_REFUSED', params: asWritten('The ERP refused it. Lína 7.') })).toBe(
      'The ERP refused it. Lína 7.',
    );
  });

  it.each(LANGUAGES)('of another version of the bridge is shown as it stands, not lost: %s', (language) => {
    expect(say(language, { code: 'FROM_THE_FUTURE', params: { account: '4711' } })).toBe(
      'FROM_THE_FUTURE 4711',
    );
    expect(say(language, { code: 'OUTCOME_UNKNOWN', params: { told: 'x' } })).toContain('OUTCOME_UNKNOWN');
    expect(cureText(language, 'FROM_THE_FUTURE')).not.toBe('');
  });
});

describe('a difference between the books', () => {
  const codes = [
    ...[
      'ENTRY_MISSING',
      'ENTRY_UNKNOWN',
      'ENTRY_TWICE',
      'ENTRY_TOTAL_DIFFERS',
      'COUNT_DIFFERS',
      'ENTRY_NOT_POSTED',
      'ENTRY_NOT_CLAIMED',
      'BOOKED_NOT_POSTED',
      'CANCELLED_IN_BOOKS',
    ],
    ...Object.keys(CLOSING).filter((code) => /^CLOSE_(?!LIMIT)/.test(code)),
  ];
  it.each(codes)('says what to do about it in both languages: %s', (code) => {
    expect(differenceCure('en', code)).not.toBe('');
    expect(differenceCure('is', code)).not.toBe('');
    expect(differenceCure('is', code)).not.toMatch(/\b(the|is|was|with|not|and|document|source)\b/);
  });

  it('of another version has no remedy rather than a wrong one', () => {
    expect(differenceCure('is', 'FROM_THE_FUTURE')).toBe('');
  });
});
