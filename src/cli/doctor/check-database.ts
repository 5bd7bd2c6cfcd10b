// The records: reachable, new enough, migrated, and on the same time as this machine.
import { type Database, openDatabase } from '../../store/database.js';
import { hasRecords } from '../../store/embedded/cluster.js';
import { migrationStatus } from '../../store/migrate.js';
import { readRestored } from '../../store/restored.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { type DoctorFinding, failureOf, ok, warning } from './finding.js';

const AREA = 'database';
const SKEW_MS_MAX = 30_000;

export async function checkDatabase(settings: BridgeSettings): Promise<DoctorFinding[]> {
  const { databaseUrl, dataDirectory } = settings;
  // Opening would make one.
  if (!hasRecords(databaseUrl, dataDirectory))
    return [ok(AREA, `no bridge has run here yet; the first start makes a database in ${dataDirectory}`)];
  let database: Database;
  try {
    database = await openDatabase({ databaseUrl, dataDirectory, role: 'command', poolSize: 1 });
  } catch (error) {
    return [failureOf(AREA, error)];
  }
  try {
    const where = database.embedded ? `embedded in ${dataDirectory}` : database.whereabouts;
    return [ok(AREA, `PostgreSQL ${database.serverVersion}, ${where}`), ...(await checkSchema(database))];
  } finally {
    await database.close();
  }
}

async function checkSchema(database: Database): Promise<DoctorFinding[]> {
  try {
    const { pending, newer } = await migrationStatus(database.url);
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
    return [ok(AREA, schema), ...(await checkState(database))];
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}

async function checkState({ prisma }: Database): Promise<DoctorFinding[]> {
  const { now, lookUpFirstUntil } = await readRestored(prisma);
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
