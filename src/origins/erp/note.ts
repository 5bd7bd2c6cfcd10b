// What became of a record, in the few lines that an ERP can hold anywhere; the mark in them tells them from what people write.
import type { Told } from '../origin.js';

export function noteOf({ kind, state, number, guid, paymentLink, why, mark, atService = {} }: Told): string {
  const lines = [
    `${kind} ${number ?? ''}`.trim() + `: ${state}`,
    why,
    guid === null ? null : `guid ${guid}`,
    paymentLink === null ? null : `payment link ${paymentLink}`,
    ...Object.entries(atService).map(([field, value]) => `${field} at the service: ${value.slice(0, 200)}`),
    `mark ${mark}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}
