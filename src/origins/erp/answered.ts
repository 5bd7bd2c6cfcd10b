// What an ERP answers when it is read as an origin; whatever else it says is an error, and the look is repeated later.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Answer } from '../../erp/answer.js';

export function answered<T>(answer: Answer<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  const { message, said } = answer;
  throw new CodedError('ERP_ORIGIN_FAILED', message, said === undefined ? {} : { said });
}
