// The witness outside of the database: the ids of the latest attempts, in a file beside it, written before their requests leave. A
// database that lacks one of them went back in time. It is asked whenever a connection is new, since a database that was exchanged
// cuts all of them, every few seconds of work, and at the start; so nothing is sent on the word of one that has forgotten.
import { incident } from '../language/incidents/incident-text.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Witness } from '../sync/work.js';
import type { Database } from './database.js';
import type { WitnessFile } from './witness-file.js';
import { openIncident } from './incidents.js';
import { markRestored } from './restored.js';
import type { Db } from './db.js';

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
