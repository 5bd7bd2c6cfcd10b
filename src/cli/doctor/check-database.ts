// The records: reachable, new enough, migrated, and on the same time as this machine.
import { areThereRecords, type RecordsCare, withRecords } from '../../bridge/care-for-records.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, failureOf, ok, warning } from './finding.js';

const AREA = 'database';
const BUNDLED = [
  'The PostgreSQL that comes with the bridge is built for trying out: its libraries are older than those of the system, and nobody updates them.',
  'Before companies are booked for real: set DATABASE_URL, or install PostgreSQL 15 or later on this machine and begin with an empty data directory.',
] as const;
const SUPERUSER = [
  'The role in DATABASE_URL is a superuser: whoever gets hold of it has the whole server.',
  'Make a role of its own that owns only its database (docs/deploy.md, "The database").',
] as const;
const SKEW_MS_MAX = 30_000;

export async function checkDatabase(settings: BridgeSettings): Promise<DoctorFinding[]> {
  // Opening would make one.
  if (!areThereRecords(settings))
    return [
      ok(AREA, `no bridge has run here yet; the first start makes a database in ${settings.dataDirectory}`),
    ];
  try {
    return await withRecords(settings, {}, async (care) => [
      ok(AREA, care.title),
      ...(care.isBundled ? [warning(AREA, ...BUNDLED)] : []),
      ...((await care.isSuperuser()) ? [warning(AREA, ...SUPERUSER)] : []),
      ...(await checkSchema(care)),
    ]);
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}

async function checkSchema(care: RecordsCare): Promise<DoctorFinding[]> {
  try {
    const { pending, newer } = await care.migrations();
    if (pending.length > 0) {
      const message = `${pending.length} migrations are missing.`;
      return [
        warning(AREA, message, 'The bridge applies them when it starts; so does `ledgerbridge db migrate`.'),
      ];
    }
    const schema =
      newer.length === 0
        ? 'the schema is up to date'
        : `the schema is ${newer.length} migrations ahead of this version, which can live with it`;
    return [ok(AREA, schema), ...(await checkState(care))];
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}

async function checkState(care: RecordsCare): Promise<DoctorFinding[]> {
  const { now, lookUpFirstUntil } = await care.restored();
  const findings: DoctorFinding[] = [];
  const skewMs = now.getTime() - Date.now();
  if (Math.abs(skewMs) > SKEW_MS_MAX) {
    const message = `The database’s clock is ${Math.round(skewMs / 1000)} s from ours.`;
    findings.push(
      warning(
        AREA,
        message,
        'Keep the time of both machines (NTP); leases are measured by the database’s clock.',
      ),
    );
  }
  if (lookUpFirstUntil !== null && lookUpFirstUntil > now) {
    const until = lookUpFirstUntil.toISOString().slice(0, 10);
    findings.push(ok(AREA, `was restored from a backup: every post looks up first until ${until}`));
  }
  return findings;
}
