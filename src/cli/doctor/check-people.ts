// Who may sign in to the dashboard: an admin whose password is all there is.
import type { RecordsCare } from '../../bridge/care-for-records.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, ok, warning } from './finding.js';

const AREA = 'people';
const NAMES_MAX = 5;

export async function checkPeople(
  { secondFactor }: Pick<BridgeSettings, 'secondFactor'>,
  care: Pick<RecordsCare, 'people'>,
): Promise<DoctorFinding[]> {
  if (secondFactor !== 'none')
    return [ok(AREA, `a second factor is needed: ${secondFactor} (LEDGERBRIDGE_SECOND_FACTOR)`)];
  const users = await care.people().list();
  const bare = users.filter(
    ({ role, reach, disabled, external, secondFactor: has }) =>
      !disabled && !external && !has && [...(reach?.values() ?? [role])].includes('admin'),
  );
  if (bare.length === 0) return [];
  const names = bare.slice(0, NAMES_MAX).map(({ login }) => login);
  const more = bare.length > NAMES_MAX ? ` and ${String(bare.length - NAMES_MAX)} more` : '';
  return [
    warning(
      AREA,
      `Admins whose password alone lets them in: ${names.join(', ')}${more}.`,
      'Set LEDGERBRIDGE_SECOND_FACTOR=admin, and LEDGERBRIDGE_KEY: they turn one on at their next sign-in.',
    ),
  ];
}
