// Looks for an invoice by its mark, and judges what is found. One that equals the request is ours; another content under our mark, or
// more than one, is never touched: a person decides.
import type { Guid } from '../domain/ids.js';
import { Decimal } from '../domain/money.js';
import type { Message, Told } from '../domain/message.js';
import { message, saidBy } from '../language/messages.js';
import type { FoundInvoice, HowRecent, TargetRequest } from '../service/invoicing-target.js';
import { retryInMs, TRIES_MAX } from '../sync/back-off.js';
import { invoiceContent } from '../origins/content.js';
import { mayStand, type Advanced, type SubmissionWork, parkWithAlarm, rest } from './submission-work.js';
import { quietPeriodMs } from './stage.js';

/**
 * What carries the mark, in a list that is complete; a list that is not proves nothing, and is read again later. Where something of it may
 * have been sent, the list was begun after it had arrived or never would; otherwise only a history that was lost can have sent it.
 */
export async function search(
  work: SubmissionWork,
  { body }: TargetRequest,
): Promise<readonly FoundInvoice[] | Advanced> {
  const { stage, tenant, claimed } = work;
  const issueDate = String(body['issue_date']);
  const found = await tenant.target.findInvoices(claimed.key, tenant.wish.mark, issueDate, howRecent(work));
  await stage.breakers.succeeded(tenant.name, 'source');
  if (found.outcome === 'complete') return found.found;
  return incomplete(work, found);
}

function howRecent({ stage, claimed }: SubmissionWork): HowRecent {
  const { sentAgoMs, restoredAgoMs, outcome, state } = claimed;
  if (state !== 'unknown' && !mayStand(claimed)) return 'lately';
  // What was accepted may have come a moment ago.
  const known = [sentAgoMs, restoredAgoMs].filter((agoMs) => agoMs !== null);
  if (outcome === 'accepted' || known.length === 0) return { maxAgeMs: 0 };
  return { maxAgeMs: Math.max(0, Math.min(...known) - quietPeriodMs(stage.timing)) };
}

export function incomplete(work: SubmissionWork, words: Told): Promise<Advanced> {
  const { claimed, stage } = work;
  const tries = claimed.tries + 1;
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', saidBy(words), { tries });
  return rest(work, { action: 'list-incomplete', tries, dueInMs: retryInMs(tries, stage.runtime.random) });
}

/** `accepted`: what the service said when it took it. */
export function judgeFound(
  work: SubmissionWork,
  request: TargetRequest,
  found: readonly FoundInvoice[],
  accepted: { readonly guid: Guid | null; readonly paymentLink: string | null } | null = null,
): Promise<Advanced> {
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const invoices = found.map(({ number, guid }) => number || guid).join(', ');
    return parkWithAlarm(
      work,
      'SUBMISSION_TWICE',
      message('SEVERAL_CARRY_THE_MARK', { invoices: invoices.slice(0, 200) }),
    );
  }
  const differences = differencesOf(work, request, first);
  if (accepted?.guid && accepted.guid.toLowerCase() !== first.guid.toLowerCase())
    differences.push(message('FIELD_IS_NOT', { field: 'guid', theirs: first.guid, ours: accepted.guid }));
  if (differences.length > 0)
    return parkWithAlarm(work, 'SUBMISSION_COLLISION', message('FIELDS_DIFFER', { differences }));
  const { guid, number } = first;
  const paymentLink = accepted?.paymentLink ?? work.claimed.paymentLink;
  return rest(
    work,
    {
      action: accepted === null ? 'found' : 'created',
      to: 'created',
      reason: null,
      tries: 0,
      dueInMs: 0,
      created: { guid, number, paymentLink },
      ...(work.claimed.state === 'received' ? {} : { finish: { outcome: 'accepted', message: '' } }),
    },
    'after-submission-created',
  );
}

/** The sign of a credit note is not stated (Document 1). */
function signed(amount: unknown, type: unknown): string {
  const written = new Decimal(String(amount));
  return (type === 'credit' ? written.abs() : written).toFixed(2);
}

function decimalOf(amount: unknown = 0): Decimal {
  return new Decimal(String(amount));
}

/** Whether the amount that is shown is less the discount on the whole invoice, and with the fee, is not stated either. */
function amountsOf(body: TargetRequest['body']): Decimal[] {
  const amount = decimalOf(body['amount']);
  const value = decimalOf(body['discount_value']);
  const discount = body['discount_type'] === true ? amount.times(value).div(100) : value;
  return [amount, amount.minus(discount).plus(decimalOf(body['payment_fee']))];
}

function differencesOf({ claimed }: SubmissionWork, { body }: TargetRequest, found: FoundInvoice): Message[] {
  const { customer } = invoiceContent.parse(JSON.parse(claimed.content));
  const differences: Message[] = [];
  const compare = (field: string, ours: string, theirs: string) => {
    if (ours !== theirs) differences.push(message('FIELD_IS_NOT', { field, theirs, ours }));
  };
  const theirs = signed(found.amount, found.type);
  const [ours = '', ...others] = amountsOf(body).map((amount) => signed(amount, body['type']));
  if (!others.includes(theirs)) compare('amount', ours, theirs);
  compare('currency', String(body['currency']), found.currency);
  compare('type', String(body['type']), found.type);
  if (customer !== undefined && body['customer'] !== undefined && found.kennitala !== '')
    compare('customer', customer.kennitala, found.kennitala);
  return differences;
}
