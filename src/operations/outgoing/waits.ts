// What of the other direction waits for a person: as conditions, which begin and end by what is on record, and as rows beside the causes
// of documents.
import type { Condition, Severity } from '../../domain/condition.js';
import type { TenantName } from '../../domain/ids.js';
import type { Message, Reason } from '../../domain/message.js';
import type { StuckSubmission } from '../../domain/submission.js';
import { message } from '../../language/messages.js';
import { cureText, type Language, reasonSubject, say } from '../../language/say.js';
import type { Problem } from '../views/problem.js';

export interface OutgoingRest {
  readonly state: StuckSubmission;
  /** Of the latest of them. */
  readonly reason: Reason | null;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export interface OutgoingWaits {
  readonly tenantName: TenantName;
  readonly isConfirmed: boolean;
  readonly isPaused: boolean;
  /** Not begun, or waiting for its customer. */
  readonly waiting: number;
  readonly waitingSince: string | null;
  /** Sent, or in doubt, or not told to its origin yet. */
  readonly underWay: number;
  /** The latest request; null: none ever left. */
  readonly lastSentAt: string | null;
  readonly resting: readonly OutgoingRest[];
}

/** Something may have gone to a customer that should not have, or twice. Each of these has an incident of its own already. */
const ALARMING = new Set(['SUBMISSION_UNKNOWN', 'SUBMISSION_COLLISION', 'SUBMISSION_TWICE']);

function severityOf(code: string): Severity {
  return ALARMING.has(code) ? 'critical' : 'warning';
}

/** Nobody is asked to confirm what is switched off in the file, or what a person holds back. */
export function waitsForConfirmation(
  { isConfirmed, isPaused, waiting }: OutgoingWaits,
  isOn: boolean,
): boolean {
  return isOn && !isConfirmed && !isPaused && waiting > 0;
}

export function restingCount({ resting }: OutgoingWaits): number {
  return resting.reduce((sum, { count }) => sum + count, 0);
}

export function outgoingConditions(waits: OutgoingWaits, isOn: boolean, at: string): Condition[] {
  const { tenantName: tenant, waiting, waitingSince } = waits;
  const unconfirmed: Condition = {
    ...{ code: 'OUTGOING_UNCONFIRMED', tenant, subject: '', severity: 'warning', needsPerson: true },
    ...{ lastAt: waitingSince ?? at, params: { count: waiting } },
  };
  return [
    ...(waitsForConfirmation(waits, isOn) ? [unconfirmed] : []),
    ...waits.resting.map((rest): Condition => {
      const { state, count, lastAt } = rest;
      const reason = messageOf(rest);
      return {
        ...{ code: 'SUBMISSIONS_NEED_A_PERSON', tenant, subject: `${state}/${reason.code}` },
        ...{ severity: severityOf(reason.code), needsPerson: true, lastAt, params: { state, count, reason } },
      };
    }),
  ];
}

/** What each of them was told of by itself is not told again for all of them. */
export function isToldAlready(condition: Condition): boolean {
  return condition.code === 'SUBMISSIONS_NEED_A_PERSON' && ALARMING.has(condition.params.reason.code);
}

/** As rows among the causes: whoever asks what is held up hears of both directions. */
export function outgoingProblems(waits: OutgoingWaits, isOn: boolean | null, language: Language): Problem[] {
  const { tenantName: name, waiting, waitingSince } = waits;
  const row = (code: string, count: number) => ({
    ...{ code, count, direction: 'out' as const, states: [], action: 'none' as const, needsPerson: true },
    ...{ severity: severityOf(code), incidentId: null },
    tenants: [{ name, count }],
  });
  const unconfirmed = message('OUTGOING_UNCONFIRMED', { count: waiting });
  const since = waitingSince ?? '';
  const plan: Problem = {
    ...row('OUTGOING_UNCONFIRMED', waiting),
    ...{ id: `OUTGOING_UNCONFIRMED:${name}`, subject: name, reason: unconfirmed },
    ...{ sentence: say(language, unconfirmed), firstSeenAt: since, lastSeenAt: since },
    whatToDo: say(language, message('CONFIRM_OUTGOING', { tenant: name })),
  };
  return [
    // Whoever has not read the file does not know whether it is switched off there, and says it.
    ...(waitsForConfirmation(waits, isOn ?? true) ? [plan] : []),
    ...waits.resting.map((rest): Problem => {
      const { state, count, firstAt, lastAt } = rest;
      const reason = messageOf(rest);
      return {
        ...row(reason.code, count),
        ...{ id: `${reason.code}:${name}/${state}`, reason, sentence: say(language, reason) },
        subject: rest.reason === null ? '' : reasonSubject(language, rest.reason),
        whatToDo: say(
          language,
          message('LOOK_AT_SUBMISSIONS', { tenant: name, state, cure: cureOf(language, rest) }),
        ),
        ...{ firstSeenAt: firstAt, lastSeenAt: lastAt },
      };
    }),
  ];
}

function messageOf({ reason }: OutgoingRest): Message {
  return reason === null ? message('NO_REASON') : { code: reason.code, params: reason.params };
}

function cureOf(language: Language, { reason }: OutgoingRest): string {
  return reason === null ? '' : cureText(language, reason.code);
}
