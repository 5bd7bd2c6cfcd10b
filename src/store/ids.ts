// Version 7 UUIDs: ordered by time, so that lists page by id and indexes grow at one end.
import { randomUUID } from 'node:crypto';

export function newId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  // Chance and variant are those of a version 4, which Node makes in batches.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** None that was made since then is below it. */
export function lowestId(sinceMs: number): string {
  const time = sinceMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
