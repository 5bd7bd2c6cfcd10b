// What lists show of a submission, and the hash by which a change at the origin is seen.
import type { IsoDate } from '../../domain/ids.js';
import { createHash } from 'node:crypto';
import type { SubmissionKind } from '../../domain/submission.js';
import { customerContent, invoiceContent, totalOf } from './content.js';

export interface ContentFacts {
  readonly hash: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly issueDate: IsoDate | null;
  readonly counterparty: string;
}

export function contentFacts(kind: SubmissionKind, content: string): ContentFacts {
  const hash = createHash('sha256').update(content).digest('hex');
  const value: unknown = JSON.parse(content);
  if (kind === 'customer') {
    const read = customerContent.safeParse(value);
    return { hash, amount: null, currency: null, issueDate: null, counterparty: read.data?.name ?? '' };
  }
  const { data } = invoiceContent.safeParse(value);
  if (data === undefined) return { hash, amount: null, currency: null, issueDate: null, counterparty: '' };
  const { currency, issue_date: issueDate, customer } = data;
  return {
    hash,
    amount: totalOf(data),
    currency,
    issueDate,
    counterparty: customer?.name ?? customer?.kennitala ?? '',
  };
}
