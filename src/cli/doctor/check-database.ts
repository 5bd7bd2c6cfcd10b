// The records: reachable, new enough, migrated, and on the same time as this machine.
import { areThereRecords, type RecordsCare, withRecords } from '../../bridge/care-for-records.js';
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { checkPeople } from './check-people.js';
import { type DoctorFinding, failureOf, ok, warning } from './finding.js';

const AREA = 'database';
const BUNDLED = [
  'The PostgreSQL that comes with the bridge is built for trying out: its libraries are older than those of the system, and nobody updates them.',
  'Before companies are booked for real: set DATABASE_URL, or install PostgreSQL 15 or later on this machine and begin with an empty data directory.',
] as const;
const SUPERUSER = [
  'The role in DATABASE_URL is a superuser: whoever gets hold of it has the whole server.',
  'Make two roles: one that owns the tables, and one that the bridge works as (docs/how-to/deploy.md, "The database").',
] as const;
const OWNER = [
  'The role in DATABASE_URL owns the tables: whoever gets hold of it can switch off what protects the audit, and change it.',
  'Make a second role, set it as DATABASE_URL and the present one as DATABASE_OWNER_URL, and run `ledgerbridge db migrate` (docs/how-to/deploy.md, "The database").',
] as const;
const RIGHTS_MAX = 5;
type WorkingRole = Awaited<ReturnType<RecordsCare['role']>>;
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
      ...checkRole(await care.role(), care.isEmbedded),
      ...(await checkSchema(settings, care)),
    ]);
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}

/** Of the embedded database the bridge keeps both roles itself, at each start. */
function checkRole(
  { name, isSuperuser, ownsAudit, amiss }: WorkingRole,
  isEmbedded: boolean,
): DoctorFinding[] {
  if (isEmbedded) return [];
  if (isSuperuser) return [warning(AREA, ...SUPERUSER)];
  if (ownsAudit === true) return [warning(AREA, ...OWNER)];
  if (amiss.length === 0) return [];
  const said = amiss
    .slice(0, RIGHTS_MAX)
    .map(({ name: on, missing, tooMany }) =>
      [
        ...(missing.length === 0 ? [] : [`lacks ${missing.join(', ')} on ${on}`]),
        ...(tooMany.length === 0 ? [] : [`need not have ${tooMany.join(', ')} on ${on}`]),
      ].join(', '),
    );
  const more = amiss.length > RIGHTS_MAX ? `, and ${String(amiss.length - RIGHTS_MAX)} more` : '';
  return [
    warning(
      AREA,
      `The role ${name} has other rights than it needs: it ${said.join('; ')}${more}.`,
      'Run `ledgerbridge db migrate` with DATABASE_OWNER_URL. What PUBLIC or a group gives it, an administrator of the database takes away.',
    ),
  ];
}

async function checkSchema(settings: BridgeSettings, care: RecordsCare): Promise<DoctorFinding[]> {
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
    return [
      ok(AREA, schema),
      ...(await checkState(care)),
      ...(await checkAnchor(care, settings.auditAnchor)),
      ...(await checkPeople(settings, care)),
    ];
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}

const ANCHOR_MS_MAX = 2 * 86_400_000;

/** Advice: without it the audit is as good as whoever runs the database. */
async function checkAnchor(care: RecordsCare, path: string | null): Promise<DoctorFinding[]> {
  if (path === null)
    return [
      {
        ...ok(AREA, 'the heads of the audit are in no file outside of the database'),
        remedy:
          'Advice: set LEDGERBRIDGE_AUDIT_ANCHOR, or let a channel of notifications hear of `audit`; then a chain that somebody rewrote to its end is found (docs/explanation/security.md).',
      },
    ];
  const last = await care.lastAnchored(path);
  if (last === null)
    return [ok(AREA, `the heads of the audit were not written to ${path} yet; the bridge does so each day`)];
  const text = `the heads of the audit were last written to ${path} at ${last.toISOString()}`;
  if (Date.now() - last.getTime() <= ANCHOR_MS_MAX) return [ok(AREA, text)];
  return [
    warning(
      AREA,
      `${text.replace(/^the/, 'The')}.`,
      'See `ledgerbridge incidents`: it says why it fails, and it is tried again by itself.',
    ),
  ];
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
