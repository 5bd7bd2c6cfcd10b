// Releases of booked documents, in memory, with the semantics of store/release-store.ts.
import type { Guid } from '../../src/domain/ids.js';
import { journalFromJson } from '../../src/domain/journal-json.js';
import type { SourceKind } from '../../src/domain/source-document.js';
import { releaseDays } from '../../src/pipeline/mapping/map-document.js';
import { type BookedDocument, releaseGuid, type ReleaseStore } from '../../src/sync/follow-up-records.js';
import type { Life } from './life.js';
import { addRow } from './memory-intake-store.js';
import { isReversing } from './memory-payment-store.js';
import type { MemoryRecords, PostingRow } from './memory-records.js';

export function memoryReleaseStore(records: MemoryRecords, life: Life): ReleaseStore {
  const { kernel } = records;
  return {
    due: async (_tenant, today, limit) => {
      await life.step(1);
      return dueReleases(records, today).slice(0, limit);
    },
    begin: async (tenantName, releases) => {
      await life.step(kernel.between('releases take', 1, 5));
      const fresh = releases.filter((release) => !records.byGuid.has(releaseGuid(release)));
      for (const release of fresh) {
        const guid = releaseGuid(release);
        const row = addRow(
          records,
          tenantName,
          { kind: 'release', guid, number: release.number },
          release.key,
        );
        Object.assign(row, { referGuid: release.guid, sourceStatus: '', day: release.day });
        kernel.note(`release ${guid} is begun`);
      }
      await life.step(1);
      return fresh.length;
    },
  };
}

function dueReleases(records: MemoryRecords, today: string) {
  return [...records.rows.values()].flatMap(({ posting }) => {
    const { kind, guid, generation, state, journal, documentNumber: number } = posting;
    if ((kind !== 'invoice' && kind !== 'cost') || state !== 'acknowledged' || journal === null) return [];
    return releaseDays(journalFromJson(journal))
      .map((day) => ({
        kind,
        guid,
        generation,
        day,
        number,
        counterpartyName: '',
        counterpartyKennitala: '',
      }))
      .filter((release) => release.day <= today && !records.byGuid.has(releaseGuid(release)));
  });
}

export function releasesOf(records: MemoryRecords, guid: Guid): PostingRow[] {
  return [...records.rows.values()].filter(
    ({ posting, referGuid }) => posting.kind === 'release' && referGuid === guid,
  );
}

export function bookedDocument(records: MemoryRecords, _kind: SourceKind, guid: Guid): BookedDocument | null {
  const row = records.byGuid.get(guid);
  if (!row) return null;
  const { state, generation, journal, contentHash, documentNumber: number } = row.posting;
  return {
    state,
    isBusy: records.isLeased(row) || isReversing(row),
    generation,
    journal,
    contentHash,
    snapshot: null,
    number,
    counterpartyName: '',
    counterpartyKennitala: '',
    releases: (records.flaws.hideReleases ? [] : releasesOf(records, guid)).map(({ posting }) => ({
      postingId: posting.id,
      guid: posting.guid,
      state: posting.state,
      isBooked: posting.reference !== null,
    })),
  };
}
