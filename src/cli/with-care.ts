// The records as a whole, opened for a command.
import type { RecordsCare, Wanted } from '../bridge/care-for-records.js';
import type { CliIo } from './command.js';

export async function withCare<Result>(
  io: CliIo,
  wanted: Wanted,
  work: (care: RecordsCare) => Promise<Result>,
): Promise<Result> {
  const { readBridgeSettings } = await import('../tenants/bridge-settings.js');
  const { withRecords } = await import('../bridge/care-for-records.js');
  return withRecords(readBridgeSettings(io.env, io.cwd), wanted, work);
}
