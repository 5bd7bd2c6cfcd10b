import { describe, expect, it } from 'vitest';
import { asWritten } from '../../../src/domain/message.js';
import { ENGLISH } from '../../../src/language/english/index.js';
import { message, reason } from '../../../src/language/messages.js';
import { cureText, LANGUAGES, say, subjectText } from '../../../src/language/say.js';

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

  it('says nothing in English to an Icelander, whatever its code', () => {
    const odd = (text: string) => /\b(the|is|was|with|not|and|document|source)\b/i.exec(text)?.[0];
    const params = new Proxy({}, { get: (_target, name) => (name === 'asWritten' ? undefined : 'X') });
    const left = Object.keys(ENGLISH)
      .map((code) => [code, say('is', { code, params }), cureText('is', code)] as const)
      .filter(([, ...texts]) => texts.some((text) => odd(text) !== undefined));
    expect(left).toEqual([]);
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
