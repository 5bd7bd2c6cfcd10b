import { describe, expect, it } from 'vitest';
import type { BridgeEvent, DocumentEvent } from '../../../src/domain/bridge-event.js';
import { POSTING_STATES } from '../../../src/domain/posting.js';
import { eventLog } from '../../../src/telemetry/event-log.js';
import { correlationId, createLog } from '../../../src/telemetry/log.js';

function logged(level: 'info' | 'debug', ...events: BridgeEvent[]) {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  const tell = eventLog(createLog({ level, format: 'json', isTty: false, destination }));
  for (const event of events) tell(event);
  return lines;
}

const moved = (to: DocumentEvent['event'], more: Partial<DocumentEvent> = {}): DocumentEvent => ({
  event: to,
  ...{ tenant: 'hraun', kind: 'invoice', guid: 'a1', number: 'R-7', postingId: 'p1', from: 'mapped' },
  ...{ reason: null, entry: null },
  ...more,
});

describe('the log of events', () => {
  it('has one line for a document in the books and one for each that a person has to look at', () => {
    const reason = { code: 'ERP_REFUSED', subject: 'vat' };
    const lines = logged(
      'info',
      moved('document.mapped'),
      moved('document.posting'),
      moved('document.posted', { entry: '104' }),
      moved('document.parked', { reason }),
      moved('document.held', { reason }),
      moved('document.rejected', { reason }),
    );
    expect(lines.map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual([
      'info document.posted',
      'warn document.parked',
      'warn document.held',
      'warn document.rejected',
    ]);
    const correlation = correlationId({ tenant: 'hraun', kind: 'invoice', guid: 'a1' });
    expect(lines[0]).toMatchObject({ tenant: 'hraun', number: 'R-7', entry: '104', correlation });
    expect(lines[1]).toMatchObject({ reason: 'ERP_REFUSED', about: 'vat', correlation });
  });

  it('knows a level for every state', () => {
    expect(logged('debug', ...POSTING_STATES.map((state) => moved(`document.${state}`)))).toHaveLength(
      POSTING_STATES.length,
    );
  });

  it('says that an ERP does not answer as an error, and that it does again', () => {
    const side = { tenant: 'hraun', side: 'erp', reason: 'connect ECONNREFUSED' } as const;
    const lines = logged('info', { event: 'breaker.opened', ...side }, { event: 'breaker.closed', ...side });
    expect(lines).toMatchObject([
      {
        level: 'error',
        event: 'breaker.opened',
        tenant: 'hraun',
        side: 'erp',
        reason: 'connect ECONNREFUSED',
      },
      { level: 'info', event: 'breaker.closed', tenant: 'hraun' },
    ]);
  });
});
