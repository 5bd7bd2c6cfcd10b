// An origin that cannot be looked at, as an incident that its next answer resolves.
import { keptWords } from '../domain/message.js';
import { incident } from '../language/incidents/incident-text.js';
import { message } from '../language/messages.js';
import type { OriginWatch } from '../outbound/stage.js';
import { endIncident, openIncident } from './incidents.js';
import type { Db } from './db.js';

const fingerprintOf = (tenantName: string, origin: string) => `${tenantName}:${origin}`;

export function createOriginWatch(db: Db): OriginWatch {
  return {
    silent: (tenantName, origin, words) =>
      db.tx((tx) =>
        openIncident(
          tx,
          { tenantName },
          incident(
            'ORIGIN_SILENT',
            { tenant: tenantName, origin, what: keptWords(words, 300) },
            { severity: 'warning', fingerprint: fingerprintOf(tenantName, origin) },
          ),
        ),
      ),
    answers: (tenantName, origin) =>
      endIncident(db, `ORIGIN_SILENT:${fingerprintOf(tenantName, origin)}`, message('ORIGIN_ANSWERS')),
  };
}
