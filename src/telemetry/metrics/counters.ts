// Figures of this process, counted as things happen. Labels are names from code, never from data.
import { Counter, type Registry } from 'prom-client';
import type { BridgeEvent, TellEvent } from '../../domain/bridge-event.js';
import { CallTimes } from './call-times.js';
import type { Observer } from './observer.js';

export interface Counters {
  readonly observer: Observer;
  readonly listen: TellEvent;
}

export function createCounters(registry: Registry): Counters {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `ledgerbridge_${name}`, help, labelNames, registers: [registry] });
  const calls = new CallTimes(registry);
  const moves = counter('moves_total', 'Moves of postings into a state.', ['to']);
  const attempts = counter('attempts_total', 'Attempts to post that ended, by outcome.', ['outcome']);
  const writeBacks = counter('write_backs_total', 'Statuses written at the source, by what became of them.', [
    'status',
    'result',
  ]);
  const sweeps = counter('sweeps_total', 'Sweeps by mode and outcome.', ['mode', 'outcome']);
  const discovered = counter(
    'documents_discovered_total',
    'Documents that sweeps found for the first time.',
    [],
  );
  const connections = counter(
    'connection_changes_total',
    'How often a side began or ceased to be held for down or for refusing.',
    ['side', 'change'],
  );
  const incidents = counter('incidents_total', 'Incidents that were opened or resolved.', ['code', 'change']);
  const notifications = counter('notifications_total', 'Messages to people, by what became of them.', [
    'channel',
    'result',
  ]);
  const submissions = counter('submissions_moved_total', 'Moves of what goes into the service, by kind.', [
    'kind',
    'to',
  ]);
  const sent = counter('submission_attempts_total', 'Requests into the service that ended, by outcome.', [
    'outcome',
  ]);
  const records = counter('records_received_total', 'Records that origins handed over, by what was new.', [
    'what',
  ]);
  const outgoing = { submissions, sent, records };
  const figures = {
    ...outgoing,
    moves,
    attempts,
    writeBacks,
    sweeps,
    discovered,
    connections,
    incidents,
    notifications,
  };
  return {
    observer: { called: (call) => calls.called(call) },
    listen: (event) => count(figures, event),
  };
}

interface OutgoingFigures {
  readonly submissions: Counter;
  readonly sent: Counter;
  readonly records: Counter;
}

type Figures = Readonly<
  Record<
    | 'moves'
    | 'attempts'
    | 'writeBacks'
    | 'sweeps'
    | 'discovered'
    | 'connections'
    | 'incidents'
    | 'notifications'
    | keyof OutgoingFigures,
    Counter
  >
>;

function count(figures: Figures, event: BridgeEvent): void {
  const change = event.event.slice(event.event.indexOf('.') + 1);
  if ('submissionId' in event) {
    figures.submissions.inc({ kind: event.kind, to: change });
    return;
  }
  switch (event.event) {
    case 'submission-attempt.finished':
      figures.sent.inc({ outcome: event.outcome });
      return;
    case 'records.received':
      for (const what of ['added', 'changed', 'late', 'shared'] as const)
        figures.records.inc({ what }, event[what]);
      return;
    case 'attempt.finished':
      figures.attempts.inc({ outcome: event.outcome });
      return;
    case 'write-back':
      figures.writeBacks.inc({ status: event.status, result: event.result });
      return;
    case 'sweep.complete':
    case 'sweep.incomplete':
    case 'sweep.failed':
      figures.sweeps.inc({ mode: event.mode, outcome: change });
      figures.discovered.inc(event.discovered);
      return;
    case 'breaker.opened':
    case 'breaker.closed':
    case 'credentials.refused':
      figures.connections.inc({ side: event.side, change });
      return;
    case 'incident.opened':
    case 'incident.resolved':
      figures.incidents.inc({ code: event.code, change });
      return;
    case 'notification.sent':
    case 'notification.delayed':
    case 'notification.abandoned':
      figures.notifications.inc({ channel: event.channel, result: change });
      return;
    case 'documents.discovered':
    case 'plan.confirmed':
    case 'tenant.paused':
    case 'tenant.resumed':
      return;
    default:
      figures.moves.inc({ to: change });
      return;
  }
}
