// One open row per fingerprint: what repeats is counted. The row says itself whether people were told of it (the notifier).
import type { TenantName } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import type { ConditionText } from '../language/conditions/condition-text.js';
import { type NewIncident, newIncidentText } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import { newId } from './ids.js';
import { storable } from './storable.js';
import type { Tx } from './db.js';

export interface IncidentSubject {
  readonly tenantName?: string;
  readonly postingId?: string;
}

/** In English for whoever reads the table, and as values for every other reader. */
export interface KeptIncident extends ConditionText, Pick<NewIncident, 'fingerprint' | 'severity'> {
  readonly code: string;
  readonly params: string;
  readonly count?: number;
}

export function openIncident(tx: Tx, subject: IncidentSubject, incident: NewIncident): Promise<void> {
  const { code, fingerprint, severity, params } = incident;
  const texts = newIncidentText('en', incident);
  return keepIncident(tx, subject, {
    code,
    fingerprint,
    severity,
    ...texts,
    params: JSON.stringify(storable(params)),
  });
}

export async function keepIncident(tx: Tx, subject: IncidentSubject, said: KeptIncident): Promise<void> {
  const id = newId();
  const incident = storable(said);
  await tx.run`
    INSERT INTO incident (id, tenant_name, posting_id, code, fingerprint, severity, title, details, next_step, state, params, count,
                          first_seen_at, last_seen_at)
    VALUES (${id}::uuid, ${subject.tenantName ?? null}, ${subject.postingId ?? null}::uuid, ${incident.code}, ${incident.fingerprint},
            ${incident.severity}, ${incident.title}, ${incident.details}, ${incident.nextStep}, 'open', ${incident.params}, ${incident.count ?? 1}, now(), now())
    ON CONFLICT (fingerprint) WHERE state <> 'resolved'
    DO UPDATE SET count = incident.count + 1, last_seen_at = now(), details = excluded.details, title = excluded.title,
      params = excluded.params`;
}

/** Part of it is over: whoever opens it reads what is left, and nobody is told anew. */
export async function restateIncident(tx: Tx, incident: NewIncident): Promise<void> {
  const said = storable({
    ...newIncidentText('en', incident),
    params: JSON.stringify(storable(incident.params)),
  });
  await tx.run`
    UPDATE incident SET title = ${said.title}, details = ${said.details}, params = ${said.params}
    WHERE fingerprint = ${incident.fingerprint} AND state <> 'resolved'`;
}

/** What was open ends by itself. */
export async function endIncident(
  tx: Pick<Tx, 'run'>,
  fingerprint: string,
  resolution: Message,
): Promise<void> {
  await tx.run`
    UPDATE incident SET state = 'resolved', resolved_at = now(), resolved_by = 'bridge', resolution = ${JSON.stringify(resolution)}
    WHERE fingerprint = ${fingerprint} AND state <> 'resolved'`;
}

/** A wake-up that belongs to no posting. Handed to its queue by the dispatcher. */
export async function wake(
  tx: Tx,
  topic: 'sweep' | 'reconcile',
  tenantName: TenantName | null,
  payload: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = newId();
  await tx.run`
    INSERT INTO outbox (id, topic, tenant_name, payload, due_at, created_at)
    VALUES (${id}::uuid, ${topic}, ${tenantName}, ${JSON.stringify(payload)}, now(), now())`;
  return id;
}

/**
 * Where a document has arrived, and what was open about it until then. That somebody else posted it too, or that
 * it does not stand against its invoice in the ERP, stays for a person: that it has arrived mends neither.
 */
export const RESOLVED_BY = {
  acknowledged: message('SETTLED_ACKNOWLEDGED'),
  reversed: message('SETTLED_REVERSED'),
} as const;
export const STAYS_OPEN: readonly string[] = ['FOREIGN_POSTED', 'POSTED_REOPENED', 'NOT_MATCHED'];
