import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { Finding } from '../../../src/erp/erp-adapter.js';
import { lackingFinding, periodFindings } from '../../../src/erp/chart.js';
import { rejected, told } from '../../../src/erp/told.js';
import { LANGUAGES } from '../../../src/language/say.js';
import {
  failureInWords,
  findingInWords,
  healthFinding,
  healthInWords,
} from '../../../src/operations/finding-words.js';

const said = (finding: Omit<Finding, 'message'>) => {
  const { message, remedy } = findingInWords('is', { message: 'In English.', ...finding });
  return [message, remedy];
};
const error = 'error' as const;
const MEND = 'Stofnaðu það í bókhaldskerfinu eða breyttu reglunum.';

describe('what a connection check found', () => {
  it.each([
    [{ account: '1200' }, 'Lykillinn 1200 er ekki til í bókhaldskerfinu eða er lokaður.'],
    [{ dimension: 'deild' }, 'Bókhaldskerfið þekkir ekki víddina deild.'],
    [{ dimension: 'deild', value: 'S1' }, 'Bókhaldskerfið þekkir ekki S1 í víddinni deild.'],
    [{ vatCode: 'U1' }, 'Bókhaldskerfið þekkir ekki VSK-kóðann U1.'],
    [{ currency: 'EUR' }, 'Gjaldmiðillinn EUR er ekki til í bókhaldskerfinu.'],
  ])('is told in Icelandic from what it names: %j', (lacks, sentence) => {
    expect(said({ severity: error, remedy: 'Mend it.', lacks })).toEqual([sentence, MEND]);
  });

  it('names the days that are closed, and says when all is well', () => {
    const days = ['2026-01-01', '2026-01-02'] as never;
    expect(said({ severity: error, about: 'period', lacks: { days } })[0]).toBe(
      'Ekki er hægt að bóka á 2 daga frá 2026-01-01 til 2026-01-02.',
    );
    expect(said({ severity: 'ok', about: 'period' })).toEqual(['Allir bókunardagar eru opnir.', undefined]);
    expect(said({ severity: 'ok' })).toEqual(['Bókhaldskerfið hefur allt sem reglurnar nota.', undefined]);
  });

  it('says what to do in the words of the adapter where those are ours', () => {
    const finding = lackingFinding(
      rejected('unknown-account', told('CURRENCY_LACKING', { system: 'Xero', currency: 'EUR' }), {
        account: '1200',
      }),
      told('CORRECT_IN_ERP', { system: 'Xero' }),
    );
    expect(finding.remedy).toBe('Correct it in Xero, or the rules of the tenant.');
    expect(findingInWords('is', finding).remedy).toBe('Leiðréttu það í Xero, eða reglur félagsins.');
    const closed = periodFindings(['2026-01-01' as never], () => 'The year is closed.');
    expect(findingInWords('is', closed[0]!).remedy).toContain('Opnaðu tímabilið');
  });

  it.each([
    { outcome: 'auth', message: 'no' },
    { outcome: 'transient', message: 'no' },
    { outcome: 'rejected', message: 'no', code: 'invalid' },
  ] as const)('says what to do about an ERP that cannot be asked: $outcome', (health) => {
    const remedies = LANGUAGES.map((language) => healthFinding(language, health).remedy);
    expect(new Set(remedies).size).toBe(2);
  });

  it('quotes what nobody named, and leaves English readers the words of the adapter', () => {
    const finding: Finding = { severity: 'warning', message: 'The key expires soon.', remedy: 'Renew it.' };
    expect(findingInWords('is', finding)).toEqual({
      severity: 'warning',
      message: 'Tengingin við bókhaldskerfið segir: „The key expires soon.“',
      remedy: 'Lagaðu það sem hún nefnir og prófaðu aftur.',
    });
    expect(findingInWords('en', finding)).toBe(finding);
  });

  it('says of an ERP that does not answer, and of a service that refuses, whose fault it is', () => {
    expect(healthInWords('is', { outcome: 'transient', message: 'Odoo answered 503' })).toBe(
      'Bókhaldskerfið svarar ekki: „Odoo answered 503“',
    );
    const refused = new CodedError('SOURCE_CREDENTIALS_REFUSED', 'The service answered 401.');
    expect(failureInWords('is', 'source', refused)).toBe(
      'Reikningakerfið hafnar aðganginum: „The service answered 401.“',
    );
    expect(failureInWords('en', 'source', refused)).toBe('The service answered 401.');
  });
});
