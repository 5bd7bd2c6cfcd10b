import { expect, it } from 'vitest';
import { auditWords } from '../../../src/domain/message.js';
import { message, told } from '../../../src/language/messages.js';
import { auditFacts } from '../../../src/operations/history.js';

it('the facts of an audit entry say what an ERP answered in the language of the reader', () => {
  const answered = told('SYSTEM_UNREACHED', {
    system: 'Odoo',
    why: message('AS_SAID', { text: 'ECONNREFUSED' }),
  });
  const details = { from: 'discovered', ...auditWords(answered) };
  expect(auditFacts({ details }, 'en')).toBe(`from: discovered, message: ${answered.message}`);
  expect(auditFacts({ details }, 'is')).toMatch(/^from: discovered, message: .*náðist/);
});

it('what an ERP answered in its own words is repeated as it is', () => {
  const details = { ...auditWords({ message: 'Journal 7 is locked.' }) };
  expect(auditFacts({ details }, 'is')).toBe('message: Journal 7 is locked.');
});
