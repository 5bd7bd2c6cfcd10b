// The store of originals: a file of the doctor's own is written, read and removed again, so that what an original would meet is met
// here. A directory that does not exist yet is only looked at from above.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openVault } from '../../bridge/open-vault.js';
import type { Vault } from '../../originals/vault.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { checkDirectory } from './check-machine.js';
import { type DoctorFinding, failure, failureOf, ok } from './finding.js';

const AREA = 'originals';

export async function checkOriginals(settings: BridgeSettings, offline: boolean): Promise<DoctorFinding[]> {
  const { originalsDirectory, originalsS3 } = settings;
  if (originalsS3 !== null && offline) return [ok(AREA, 'the bucket was not asked')];
  const room = originalsS3 === null ? await checkDirectory(originalsPlace(settings)) : [];
  const isThere = originalsS3 !== null || existsSync(originalsDirectory);
  if (!isThere || room.some(({ severity }) => severity === 'error')) return room;
  const vault = openVault(settings);
  try {
    return [...room, await tried(vault)];
  } finally {
    await vault.close();
  }
}

export function originalsPlace({
  originalsDirectory: directory,
}: Pick<BridgeSettings, 'originalsDirectory'>) {
  return { area: AREA, called: 'directory of originals', setting: 'LEDGERBRIDGE_ORIGINALS', directory };
}

async function tried(vault: Vault): Promise<DoctorFinding> {
  try {
    const { sha256 } = await vault.put(Buffer.from(`ledgerbridge doctor ${randomUUID()}`));
    const { outcome } = await vault.read(sha256);
    await vault.remove(sha256);
    return outcome === 'whole'
      ? ok(AREA, `${vault.place} takes files, gives them back and lets go of them`)
      : failure(
          AREA,
          `${vault.place} took a file and gives it back ${outcome}.`,
          'Check who else writes there, and the disk.',
        );
  } catch (error) {
    return failureOf(AREA, error);
  }
}
