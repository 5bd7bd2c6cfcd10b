// Agreeing to what somebody else asked for: the act is done, exactly as it was asked.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { CodedError } from '../../domain/errors/coded-error.js';
import { type Act, checkedAct } from '../act.js';
import type { ActInput } from '../acts.js';
import { confirmPlan } from '../confirm-plan.js';
import type { OperationsDeps } from '../deps.js';
import { confirmOutgoing, replayAbsent } from '../outgoing/for-two.js';
import { startReplay } from '../replay.js';
import { runAct } from '../run-act.js';
import type { ApprovalView } from '../views/approval.js';
import type { StoredApproval } from './approval-records.js';
import { findPerson } from './second-person.js';

export async function agree(deps: OperationsDeps, id: string, said: Act): Promise<ApprovalView> {
  const act = checkedAct(said);
  const found = await openApproval(deps, id);
  const person = await findPerson(deps, act);
  if (person === null) throw coded('SECOND_PERSON_NEEDED', message('PERSON_UNKNOWN'));
  if (found.person === person) throw coded('SECOND_PERSON_NEEDED', message('ASKED_BY_YOURSELF'));
  if (found.act === 'plan' && act.role !== undefined && act.role !== 'admin')
    throw coded('COMPANY_ROLE', message('ADMIN_AGREES'));
  const how = JSON.parse(found.asked) as Record<string, never>;
  switch (found.act) {
    case 'plan':
      await confirmPlan(deps, found.subject, act, how);
      break;
    case 'reversal':
      await runAct(deps, 'reverse', [found.subject], inputOf(how), act);
      break;
    case 'outgoing-plan':
      await confirmOutgoing(deps, found.subject, act);
      break;
    case 'outgoing-absent':
      await replayAbsent(deps, found.subject, act, Number(how['sends']));
      break;
    case 'surely-absent':
      await startReplay(deps, { postingIds: [found.subject] }, act, { surelyAbsent: true });
      break;
  }
  return viewOf(found);
}

/** The approval also names the generation of the entry, which is no input. */
function inputOf({ generation: _generation, ...input }: Record<string, unknown>) {
  return input as ActInput<'reverse'>;
}

export async function withdraw(deps: OperationsDeps, id: string, said: Act): Promise<ApprovalView> {
  const act = checkedAct(said);
  const found = await openApproval(deps, id);
  if (!(await deps.records.withdrawApproval(act, found.id))) throw gone(id);
  return viewOf(found);
}

async function openApproval(deps: OperationsDeps, id: string): Promise<StoredApproval> {
  const found = /^[0-9a-f-]{36}$/i.test(id) ? await deps.records.approval(id) : null;
  if (!found) throw gone(id);
  return found;
}

function gone(id: string): CodedError {
  return coded('APPROVAL_NOT_FOUND', message('NO_SUCH_APPROVAL', { id }));
}

/** Neither how it was asked nor who proved to be whom is anybody else's business. */
export function viewOf({ asked: _asked, person: _person, ...view }: StoredApproval): ApprovalView {
  return view;
}
