// Tasks and dated hours, as an origin has them. An hour is written by when it began and when it ended.
import * as z from 'zod';
import { Decimal } from '../domain/decimal.js';
import { day, filledText, number, tax, text, unfit, yesOrNo } from './content-fields.js';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const time = z.string().refine((written) => TIME.test(written), unfit('not a time like 08:30', 'time'));

/** What a task costs an hour; its customer is a record of its own. */
export const taskFields = {
  name: filledText,
  description: text.optional(),
  unit_price: number,
  tax,
  uom: text.default('HUR'),
  category: text.optional(),
};

export const hoursContent = z
  .strictObject({
    /** The reference of its task. */
    task: filledText,
    date: day,
    from: time,
    to: time,
    description: text.optional(),
    /** It was a mistake: what stands at the service is deleted again. */
    deleted: yesOrNo.optional(),
  })
  .refine(({ from, to }) => from < to, {
    path: ['to'],
    ...unfit('which is not after from', 'after-from'),
  });

export type HoursContent = z.output<typeof hoursContent>;

function minutes(written: string): number {
  const [hours = '0', rest = '0'] = written.split(':');
  return Number(hours) * 60 + Number(rest);
}

export function hoursOf({ from, to }: Pick<HoursContent, 'from' | 'to'>): Decimal {
  return new Decimal(minutes(to) - minutes(from)).div(60);
}
