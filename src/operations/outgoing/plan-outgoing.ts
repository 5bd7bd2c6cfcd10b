// What would be sent now: every record that waits, held against the write rules of the service without asking it anything.
import * as z from 'zod';
import { Decimal } from '../../domain/money.js';
import { headNumber } from '../../domain/source-document.js';
import { keptWords, type Told } from '../../domain/message.js';
import { keptText } from '../../language/say.js';
import { told, type Words } from '../../language/messages.js';
import {
  customerContent,
  invoiceContent,
  subscriptionContent,
  taskContent,
  costContent,
  attachedFile,
  type AttachedFile,
  itemContent,
  hoursContent,
} from '../../origins/content.js';
import {
  costRequest,
  customerRequest,
  hoursRequest,
  invoiceRequest,
  itemRequest,
  preparedRequest,
  subscriptionRequest,
  taskRequest,
} from '../../outbound/make-request.js';
import type { TargetRequest } from '../../service/invoicing-target.js';
import type { Tenant } from '../../tenants/tenant.js';
import type { OperationsDeps } from '../deps.js';
import type { OutgoingPlan } from '../views/outgoing.js';
import type { StoredSubmission } from './records.js';

const PLANNED_MAX = 1_000;
/** Stands where a guid will be that is only known when the customer or the credited invoice is there. */
const LATER = '00000000-0000-4000-8000-000000000000';

export async function planOutgoing(deps: OperationsDeps, tenant: Tenant): Promise<OutgoingPlan> {
  const { records } = deps.outgoing;
  const states = ['received', 'held'] as const;
  const rows = await records.submissions({ companies: [tenant.name], states, limit: PLANNED_MAX });
  const planned: OutgoingPlan['planned'][number][] = [];
  for (const row of rows) {
    const content = await records.content(row.id);
    const found =
      content === null ? told('CONTENT_UNREADABLE') : await findProblem(deps, tenant, row, content);
    const problem = found === null ? null : keptText(deps.language, keptWords(found));
    const { id, kind, reference, counterparty, amount, currency, issueDate, place } = row;
    const files = content === null ? [] : filesNamed(content).map(({ name }) => name);
    planned.push({ id, kind, reference, counterparty, amount, currency, issueDate, place, files, problem });
  }
  return {
    tenantName: tenant.name,
    planned,
    isWhole: rows.length < PLANNED_MAX,
    sums: sumsOf(planned),
    problems: await records.problems([tenant.name], PLANNED_MAX).then((all) => all.length),
  };
}

async function findProblem(
  deps: OperationsDeps,
  tenant: Tenant,
  row: StoredSubmission,
  content: string,
): Promise<Told | null> {
  const request = requestOf(tenant, row, JSON.parse(content));
  return 'message' in request ? request : deps.outgoing.breach(tenant.name, request);
}

function requestOf(
  { outgoing }: Tenant,
  { kind, mark: key, reference, origin }: StoredSubmission,
  value: unknown,
): TargetRequest | Words {
  if (!outgoing) return told('FILE_HAS_NO_OUTGOING');
  const { mark, customers, settlementDays, costAi } = outgoing;
  const wish = { mark, customers, settlementDays, costAi };
  if (kind === 'customer') {
    const read = customerContent.safeParse(value);
    return read.success ? customerRequest(read.data) : told('CONTENT_UNREADABLE');
  }
  if (kind === 'item') {
    const read = itemContent.safeParse(value);
    const { series = '' } = outgoing.origins.find(({ name }) => name === origin) ?? {};
    const number = headNumber(series, reference);
    return read.success ? itemRequest(read.data, number) : told('CONTENT_UNREADABLE');
  }
  if (kind === 'cost') {
    const read = costContent.safeParse(value);
    return read.success ? costRequest(read.data, key) : told('CONTENT_UNREADABLE');
  }
  if (kind === 'task') {
    const read = taskContent.safeParse(value);
    return read.success ? taskRequest(read.data, key, LATER) : told('CONTENT_UNREADABLE');
  }
  if (kind === 'subscription') {
    const read = subscriptionContent.safeParse(value);
    return read.success ? subscriptionRequest(read.data, wish, key, LATER) : told('CONTENT_UNREADABLE');
  }
  if (kind === 'hours') {
    const read = hoursContent.safeParse(value);
    return read.success ? hoursRequest(read.data, key, { task: LATER }) : told('CONTENT_UNREADABLE');
  }
  const read = invoiceContent.safeParse(value);
  if (!read.success) return told('CONTENT_UNREADABLE');
  const isCredit = read.data.credit_of !== undefined || read.data.ref_invoice_guid !== undefined;
  const known = { key, customerGuid: isCredit ? null : LATER, creditedGuid: isCredit ? LATER : null };
  return kind === 'invoice'
    ? invoiceRequest(read.data, wish, known)
    : preparedRequest(kind, read.data, wish, known);
}

/** What would go out, by kind and currency. */
function sumsOf(planned: OutgoingPlan['planned']): OutgoingPlan['sums'] {
  const sums = new Map<string, { kind: string; currency: string; count: number; amount: Decimal }>();
  for (const { kind, currency, amount, problem } of planned) {
    if (problem !== null) continue;
    const key = `${kind} ${currency ?? ''}`;
    const sum = sums.get(key) ?? { kind, currency: currency ?? '', count: 0, amount: new Decimal(0) };
    sums.set(key, { ...sum, count: sum.count + 1, amount: sum.amount.plus(amount ?? 0) });
  }
  return [...sums.values()].map(({ amount, ...sum }) => ({ ...sum, amount: amount.toFixed(2) }));
}

// The files that a record names, for those who look at it.

const naming = z.object({ files: z.array(attachedFile) });

/** None where it names none, or is of a kind that cannot. */
export function filesNamed(content: string): readonly AttachedFile[] {
  return naming.safeParse(JSON.parse(content)).data?.files ?? [];
}
