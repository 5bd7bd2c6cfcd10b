// Network addresses of the audit. An entry is never changed, so it names an address by a mark, and the address stands beside it for as
// long as it is kept. A mark is a hash with a secret of its day: whoever changes an address is found out (`verifyAudit`), and once the
// secret is gone with the addresses of its day nothing leads back to them.
import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from './db.js';

export interface MarkedAddress {
  /** As it stands in an entry. */
  readonly mark: string;
  readonly day: string;
  /** Who came from there. */
  readonly subject: string;
  readonly address: string;
}

const MARK = /^address:[0-9a-f]{64}$/;

export async function markAddress(
  tx: Tx,
  subject: string,
  address: string,
  at: Date,
): Promise<MarkedAddress> {
  const day = at.toISOString().slice(0, 10);
  const secret = (await readSecret(tx, day)) ?? (await makeSecret(tx, day));
  const hash = createHash('sha256').update(`${secret}${subject}\n${address}`).digest('hex');
  return { mark: `address:${hash}`, day, subject, address };
}

export async function keepAddress(tx: Tx, { mark, day, subject, address }: MarkedAddress): Promise<void> {
  await tx.run`
    INSERT INTO audit_address (mark, day, subject, address) VALUES (${mark}, ${day}, ${subject}, ${address})
    ON CONFLICT (mark) DO NOTHING`;
}

async function readSecret(tx: Tx, day: string): Promise<string | undefined> {
  const [row] = await tx.rows<{ secret: string }>`SELECT secret FROM audit_address_secret WHERE day = ${day}`;
  return row?.secret;
}

/** Somebody else may make it in this moment: the first one counts, and a statement after it sees it. */
async function makeSecret(tx: Tx, day: string): Promise<string> {
  const made = randomBytes(32).toString('hex');
  await tx.run`
    INSERT INTO audit_address_secret (day, secret) VALUES (${day}, ${made}) ON CONFLICT (day) DO NOTHING`;
  return (await readSecret(tx, day)) ?? made;
}

/** What entries say, with the addresses that are still kept in the place of their marks. */
export async function withAddresses(
  db: Pick<Tx, 'rows'>,
  details: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const marks = details.flatMap(({ address }) =>
    typeof address === 'string' && MARK.test(address) ? [address] : [],
  );
  if (marks.length === 0) return [...details];
  const rows = await db.rows<{ mark: string; address: string }>`
    SELECT mark, address FROM audit_address WHERE mark = ANY(${marks})`;
  const known = new Map(rows.map(({ mark, address }) => [mark, address]));
  return details.map((one) => ({ ...one, ...shown(one['address'], known) }));
}

function shown(address: unknown, known: ReadonlyMap<string, string>): { readonly address?: string } {
  const kept = typeof address === 'string' ? known.get(address) : undefined;
  return kept === undefined ? {} : { address: kept };
}

/** Marks whose address is not the one that they were made of. */
export async function changedAddresses(db: Pick<Tx, 'rows'>): Promise<readonly string[]> {
  const rows = await db.rows<{ mark: string }>`
    SELECT a.mark FROM audit_address a LEFT JOIN audit_address_secret s ON s.day = a.day
    WHERE s.secret IS NULL OR a.mark <> 'address:' || encode(sha256(convert_to(s.secret || a.subject || E'\\n' || a.address, 'UTF8')), 'hex')
    ORDER BY 1 LIMIT 100`;
  return rows.map(({ mark }) => mark);
}
