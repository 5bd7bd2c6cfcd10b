// The witness outside of the database: the ids of the latest attempts, in a file beside it, written before their requests leave. A
// database that lacks one of them went back in time. It is asked whenever a connection is new, since a database that was exchanged
// cuts all of them, every few seconds of work, and at the start; so nothing is sent on the word of one that has forgotten.
import { incident } from '../language/incidents/incident-text.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Witness } from '../sync/work.js';
import type { Database } from './database.js';
import type { WitnessFile } from './witness-file.js';
import { openIncident } from './incidents.js';
import type { Db, Tx } from './db.js';
import { appendAudit } from './audit.js';

export interface OpenWitness extends Witness {
  close(): void;
}

interface WitnessOptions {
  readonly database: Pick<Database, 'db' | 'indexed' | 'onConnect'>;
  readonly file: WitnessFile;
  readonly onWentBack: (missing: number) => void;
  readonly now: () => number;
}

const VERIFIED_FOR_MS = 5_000;
/** Longer than any claim lasts: those from before the discovery have ended by then. */
const CLAIMS_MS_MAX = 3_600_000;

const FIND = {
  name: 'witness-find',
  text: 'SELECT id::text AS id FROM attempt WHERE id = ANY($1::uuid[])',
};

export async function openWitness(options: WitnessOptions): Promise<OpenWitness> {
  const witness = new DatabaseWitness(options);
  await witness.verify();
  return witness;
}

class DatabaseWitness implements OpenWitness {
  readonly #options: WitnessOptions;
  #verifiedAt: number | null = null;
  #wentBackAt: number | null = null;
  #verifying: Promise<void> | null = null;

  constructor(options: WitnessOptions) {
    this.#options = options;
    options.database.onConnect(() => {
      this.#verifiedAt = null;
    });
  }

  async trusts({ attempt, restoredAgeMs }: ClaimedPosting): Promise<boolean> {
    const { now, file } = this.#options;
    if (attempt) file.mark(attempt.id);
    if (this.#verifiedAt === null || now() - this.#verifiedAt > VERIFIED_FOR_MS) await this.verify();
    const isLately = this.#wentBackAt !== null && now() - this.#wentBackAt < CLAIMS_MS_MAX;
    // A claim from before the discovery knows nothing of it yet.
    if (isLately && restoredAgeMs === null) return false;
    file.write();
    return true;
  }

  /** One at a time; whoever comes meanwhile waits for the one under way. */
  verify(): Promise<void> {
    this.#verifying ??= this.#verify().finally(() => {
      this.#verifying = null;
    });
    return this.#verifying;
  }

  close(): void {
    this.#options.file.close();
  }

  async #verify(): Promise<void> {
    const { database, file, onWentBack, now } = this.#options;
    const began = now();
    const marks = file.marks();
    const found = await database.indexed.rows<{ id: string }>({ ...FIND, values: [marks] });
    const known = new Set(found.map(({ id }) => id));
    const missing = marks.filter((id) => !known.has(id));
    this.#verifiedAt = began;
    if (missing.length === 0) return;
    this.#wentBackAt = began;
    await tellOfIt(database.db, missing.length);
    file.refute(missing);
    onWentBack(missing.length);
  }
}

async function tellOfIt(db: Db, missing: number): Promise<void> {
  const reason = `${missing} attempts that were sent are not on record any more`;
  await markRestored(db, { by: 'ledgerbridge', reason });
  const alarm = incident('DATABASE_WENT_BACK', { missing }, { severity: 'critical', fingerprint: 'bridge' });
  await db.tx((tx) => openIncident(tx, {}, alarm));
}

// After a restore from a backup the database has forgotten what was posted since. The ERP has not: for as long as such a
// posting may still be outstanding, every post looks there first. The epoch counts how often that happened.

export interface Restored {
  readonly epoch: number;
  /** null: never restored. */
  readonly lookUpFirstUntil: Date | null;
  /** By the database's clock. */
  readonly now: Date;
}

export const LOOK_UP_FIRST_DAYS = 90;

export async function readRestored(db: Pick<Tx, 'rows'>): Promise<Restored> {
  const [row] = await db.rows<Restored>`
    SELECT epoch, look_up_first_until AS "lookUpFirstUntil", now() AS now FROM bridge`;
  if (!row) throw new Error('the bridge has no row of its own');
  return row;
}

/** All cursors start over too: what was found since the backup is found again. */
export async function markRestored(
  db: Db,
  act: { readonly by: string; readonly reason: string; readonly days?: number },
): Promise<Restored> {
  const days = act.days ?? LOOK_UP_FIRST_DAYS;
  return db.tx(async (tx) => {
    await tx.run`
      UPDATE bridge SET epoch = epoch + 1, restored_at = now(),
        look_up_first_until = greatest(look_up_first_until, now() + ${days} * interval '1 day')`;
    await tx.run`UPDATE cursor SET full_sweep_due = true`;
    // What a person said was said of another history.
    await tx.run`UPDATE submission SET surely_absent = false WHERE surely_absent`;
    const restored = await readRestored(tx);
    await appendAudit(tx, {
      actor: act.by,
      action: 'bridge.restored',
      subject: 'bridge',
      reason: act.reason,
      details: { epoch: restored.epoch, lookUpFirstUntil: restored.lookUpFirstUntil },
    });
    return restored;
  });
}
