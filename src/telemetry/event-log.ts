// Events as lines of the log: one each, with its name, who it is about and why, so that whoever reads nothing else learns of
// a parked document and of an ERP that does not answer.
import type { BridgeEvent, DocumentEvent, SubmissionEvent, TellEvent } from '../domain/bridge-event.js';
import type { PostingState } from '../domain/posting.js';
import type { SubmissionState } from '../domain/submission.js';
import { correlationId, type Log } from './log.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A document is a line at `info` when it is in the books and where it comes to rest; its steps in between are for `debug`. */
const DOCUMENT_LEVELS: Readonly<Record<PostingState, Level>> = {
  discovered: 'info',
  mapped: 'debug',
  posting: 'debug',
  posted: 'info',
  writing_back: 'debug',
  acknowledged: 'debug',
  deferred: 'info',
  held: 'warn',
  parked: 'warn',
  rejected: 'warn',
  orphaned: 'warn',
  skipped: 'info',
  reversed: 'info',
};

/** In the other direction a line at `info` says that something stands at the service, or does not for a reason. */
const SUBMISSION_LEVELS: Readonly<Record<SubmissionState, Level>> = {
  received: 'debug',
  held: 'info',
  sending: 'debug',
  unknown: 'warn',
  created: 'info',
  acknowledged: 'debug',
  refused: 'warn',
  parked: 'warn',
  skipped: 'info',
  withdrawing: 'debug',
  withdrawn: 'info',
};

export function eventLog(log: Log): TellEvent {
  return (event) => {
    const level = levelOf(event);
    if (level === null || !log.isLevelEnabled(level)) return;
    log[level](factsOf(event), event.event);
  };
}

function levelOf(event: BridgeEvent): Level | null {
  if (isOfSubmission(event)) return SUBMISSION_LEVELS[submissionStateOf(event)];
  switch (event.event) {
    // Counted; the move that they belong to is the line.
    case 'attempt.finished':
    case 'submission-attempt.finished':
    case 'write-back':
      return null;
    case 'sweep.incomplete':
    case 'sweep.failed':
    case 'notification.delayed':
      return 'warn';
    case 'breaker.opened':
    case 'credentials.refused':
    case 'notification.abandoned':
      return 'error';
    case 'incident.opened':
      return event.severity === 'info' ? 'info' : event.severity === 'warning' ? 'warn' : 'error';
    case 'documents.discovered':
    case 'records.received':
    case 'sweep.complete':
    case 'breaker.closed':
    case 'plan.confirmed':
    case 'tenant.paused':
    case 'tenant.resumed':
    case 'incident.resolved':
    case 'notification.sent':
      return 'info';
    default:
      return DOCUMENT_LEVELS[stateOf(event)];
  }
}

function stateOf({ event }: DocumentEvent): PostingState {
  return event.slice('document.'.length) as PostingState;
}

function isOfSubmission(event: BridgeEvent): event is SubmissionEvent {
  return 'submissionId' in event;
}

function submissionStateOf({ event }: SubmissionEvent): SubmissionState {
  return event.slice('submission.'.length) as SubmissionState;
}

function factsOf(event: BridgeEvent): Record<string, unknown> {
  if (isOfSubmission(event)) {
    const { reason, number, ...facts } = event;
    return {
      ...facts,
      ...(reason === null ? {} : { reason: reason.code, about: reason.subject }),
      ...(number === null ? {} : { number }),
    };
  }
  if (!('guid' in event)) return { ...event };
  // What is undefined is not written.
  return {
    event: event.event,
    tenant: event.tenant,
    kind: event.kind,
    guid: event.guid,
    number: event.number,
    postingId: event.postingId,
    from: event.from,
    correlation: correlationId(event),
    reason: event.reason?.code,
    about: event.reason?.subject,
    entry: event.entry ?? undefined,
  } satisfies Record<keyof DocumentEvent | 'correlation' | 'about', unknown>;
}
