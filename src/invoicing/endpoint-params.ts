// Parameters that several endpoints share, on both surfaces.
import * as z from 'zod';
import { ACCOUNTING_STATUSES } from '../domain/accounting-status.js';
import { bitAsNumber, filePart, isoDate, money, whole } from './wire-types.js';
import { TASK_LISTS } from './wire-values.js';
import { costCode, guid, kennitala } from './write-bodies.js';

export const text = z.string();
export const paging = { limit: whole.optional(), page: whole.optional() };
export const byGuid = { guid };
export const byId = { id: guid };

/** Comma-separated for several. */
function someOf(known: readonly string[]) {
  return z.string().refine((written) => written.split(',').every((one) => known.includes(one)), {
    message: `must be one or several of ${known.join(', ')}, separated by commas`,
  });
}

const costStatuses = someOf(ACCOUNTING_STATUSES);
/** An invoice is never New, and the service answers the question with a 400. */
export const invoiceStatuses = someOf(ACCOUNTING_STATUSES.filter((status) => status !== 'New'));

export const period = { from_date: isoDate.optional(), to_date: isoDate.optional() };

/** Both surfaces filter costs by these; the credential surface and the agent list also know date_filter. */
export const costFilter = {
  accounting_status: costStatuses.optional(),
  type: costCode.optional(),
  supplier_id: text.optional(),
  ...period,
};

export const costDateFilter = z.enum(['date', 'created_date']);

export const summaryPeriod = {
  year: whole.optional(),
  month: whole.optional(),
  from_month: whole.optional(),
  to_month: whole.optional(),
  ...period,
};

export const taskList = { type: z.enum(TASK_LISTS).optional() };

export const advancedCost = {
  date: isoDate,
  amount: money,
  how_paid: whole.refine((way) => way >= 1 && way <= 4, 'must be 1 to 4'),
  supplier_name: text.min(1),
  supplier_id: kennitala,
  type: costCode,
  description: text.optional(),
  vat_11: money.optional(),
  vat_24: money.optional(),
  credit_note: bitAsNumber.optional(),
  file: filePart.optional(),
};
