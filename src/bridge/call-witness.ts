// The witness that notices a database which went back in time; of every process that sends.
import { join } from 'node:path';
import type { Database } from '../store/database.js';
import { openWitness, type OpenWitness } from '../store/witness.js';
import { WitnessFile } from '../store/witness-file.js';
import type { Log } from '../telemetry/log.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export function callWitness(
  { settings, log }: { readonly settings: BridgeSettings; readonly log: Log },
  database: Database,
  owner: string,
): Promise<OpenWitness> {
  const now = () => SYSTEM_RUNTIME.clock.now().getTime();
  return openWitness({
    database,
    now,
    file: new WitnessFile(join(settings.dataDirectory, 'witness'), owner, now()),
    onWentBack: (missing) =>
      log.error(
        { missing },
        'the database went back in time; every post looks into the ERP first from now on',
      ),
  });
}
