// Acts of the other direction that a tenant may want two people for: letting it begin, and saying that the service has nothing of it.
import type { TenantName } from '../../domain/ids.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { type Act, checkedAct } from '../act.js';
import type { OperationsDeps } from '../deps.js';
import { companiesOf } from '../find-documents.js';
import { withSecondPerson } from '../four-eyes/second-person.js';
import { refuseUnknownTenant, unknownTenant } from '../known-tenant.js';
import type { OutgoingRecords, StoredSubmission } from './records.js';
import { SUBMISSION_ACT_TABLE } from './submission-acts.js';

/** false: it was confirmed before. */
export async function confirmOutgoing(deps: OperationsDeps, tenant: TenantName, said: Act): Promise<boolean> {
  const act = checkedAct(said);
  const { records } = deps.outgoing;
  if (!known(deps, tenant).outgoing) throw coded('ACT_NOT_POSSIBLE', message('OUTGOING_IS_OFF', { tenant }));
  const confirm = () => records.confirm(tenant, act);
  const [row] = await records.switches(companiesOf(tenant));
  // What is confirmed already goes out: nobody has to agree to it again.
  if (row?.confirmedAt) return confirm();
  const wanted = { tenantName: tenant, act: 'outgoing-plan', because: ['plan'], subject: tenant } as const;
  return withSecondPerson(deps, [{ ...wanted, how: {} }], act, confirm);
}

/** Sent again although it may have been sent: somebody has looked, and the service surely has nothing of it. */
export async function replayAbsent(
  deps: OperationsDeps,
  id: string,
  act: Act,
  seen: number | undefined,
): Promise<StoredSubmission> {
  const row = await theOne(deps, id);
  const { reference, sends } = row;
  if (seen !== undefined && seen !== sends)
    throw coded('ACT_NOT_POSSIBLE', message('SENT_SINCE_YOU_LOOKED', { reference, seen, sends }));
  const wanted = { tenantName: row.tenantName, act: 'outgoing-absent', because: ['surely-absent'] } as const;
  const move = {
    action: 'replayed',
    from: SUBMISSION_ACT_TABLE.replay.from,
    to: 'received',
    surelyAbsent: true,
    sends,
  } as const;
  // What was sent once more since is another question.
  const how = { sends: String(sends) };
  return withSecondPerson(deps, [{ ...wanted, subject: row.id, how }], checkedAct(act), () =>
    moveSubmission(deps, row, act, move),
  );
}

/** As it is afterwards. */
export async function moveSubmission(
  deps: OperationsDeps,
  row: StoredSubmission,
  act: Act,
  move: Parameters<OutgoingRecords['move']>[2],
): Promise<StoredSubmission> {
  if (!(await deps.outgoing.records.move(row.id, checkedAct(act), move)))
    throw coded(
      'ACT_NOT_POSSIBLE',
      message('SUBMISSION_STATE', { reference: row.reference, state: row.state }),
    );
  return theOne(deps, row.id);
}

const CALLED_SO = 20;

export function known(deps: OperationsDeps, name: string) {
  const tenant = deps.connections.tenant(name);
  if (tenant === null) throw unknownTenant(name, deps.connections.names());
  return tenant;
}

export async function theOne(deps: OperationsDeps, text: string, tenant?: string): Promise<StoredSubmission> {
  await refuseUnknownTenant(deps, tenant);
  const rows = await deps.outgoing.records.submissions({
    companies: companiesOf(tenant),
    text,
    limit: CALLED_SO,
  });
  // A reference names the record that it belongs to; another one with the same reference is named by its mark.
  const own = rows.filter(({ twinOf }) => twinOf === null);
  const [row, other] = own.length > 0 ? own : rows;
  if (!row) throw coded('SUBMISSION_NOT_FOUND', message('SUBMISSION_UNKNOWN_HERE', { text }));
  if (other) throw coded('SUBMISSION_NOT_FOUND', message('SUBMISSION_SEVERAL', { text }));
  return row;
}
