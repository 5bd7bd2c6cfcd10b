// What lists show of a submission, and the hash by which a change at the origin is seen.
import type { IsoDate } from '../domain/ids.js';
import { createHash } from 'node:crypto';
import type { SubmissionKind } from '../domain/submission.js';
import {
  contentText,
  customerContent,
  type InvoiceContent,
  invoiceContent,
  subscriptionContent,
  taskContent,
  totalOf,
  costContent,
  costIdentity,
  itemContent,
  hoursContent,
} from '../origins/content.js';

export interface ContentFacts {
  readonly hash: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly issueDate: IsoDate | null;
  readonly counterparty: string;
}

export function contentFacts(kind: SubmissionKind, content: string): ContentFacts {
  const value: unknown = JSON.parse(content);
  if (kind === 'cost') return costFacts(content, value);
  const hash = hashOf(content);
  if (kind === 'task' || kind === 'hours') return timeFacts(hash, value);
  if (kind === 'customer') {
    const read = customerContent.safeParse(value);
    return { hash, amount: null, currency: null, issueDate: null, counterparty: read.data?.name ?? '' };
  }
  if (kind === 'item') {
    const counterparty = itemContent.safeParse(value).data?.description ?? '';
    return { hash, amount: null, currency: null, issueDate: null, counterparty };
  }
  if (kind === 'subscription') return subscriptionFacts(hash, value);
  const { data } = invoiceContent.safeParse(value);
  if (data === undefined) return { hash, amount: null, currency: null, issueDate: null, counterparty: '' };
  const { currency, issue_date: issueDate, customer } = data;
  return {
    hash: hasVersions(data) ? hashOf(contentText(withoutVersions(data))) : hash,
    amount: totalOf(data),
    currency,
    issueDate,
    counterparty: customer?.name ?? customer?.kennitala ?? '',
  };
}

/** Files that an ERP keeps beside a document are looked at when it leaves, and change nothing of it afterwards. */
function hasVersions({ files = [] }: InvoiceContent): boolean {
  return files.some(({ version }) => version !== undefined);
}

function withoutVersions({ files = [], ...rest }: InvoiceContent): object {
  const known = files.filter(({ version }) => version === undefined);
  return known.length === 0 ? rest : { ...rest, files: known };
}

function costFacts(content: string, value: unknown): ContentFacts {
  const { data } = costContent.safeParse(value);
  if (data === undefined)
    return { hash: hashOf(content), amount: null, currency: null, issueDate: null, counterparty: '' };
  const { amount = null, date, seen, supplier_name: supplier, file } = data;
  return {
    hash: hashOf(contentText(costIdentity(data))),
    amount,
    currency: amount === null ? null : 'ISK',
    issueDate: date ?? seen ?? null,
    counterparty: supplier ?? file?.name ?? '',
  };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function timeFacts(hash: string, value: unknown): ContentFacts {
  const none = { hash, amount: null, currency: null, issueDate: null };
  const hours = hoursContent.safeParse(value);
  if (hours.success) return { ...none, issueDate: hours.data.date, counterparty: hours.data.task };
  return { ...none, counterparty: taskContent.safeParse(value).data?.customer.name ?? '' };
}

function subscriptionFacts(hash: string, value: unknown): ContentFacts {
  const { data } = subscriptionContent.safeParse(value);
  if (data === undefined) return { hash, amount: null, currency: null, issueDate: null, counterparty: '' };
  const { currency, start_date: issueDate, customer } = data;
  return {
    hash,
    amount: totalOf(data),
    currency,
    issueDate,
    counterparty: customer.name ?? customer.kennitala,
  };
}
