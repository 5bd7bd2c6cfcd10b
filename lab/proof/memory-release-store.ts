// Releases of booked documents, in memory, with the semantics of store/follow-up-store.ts.
import type { Guid } from '../../src/domain/ids.js';
import { journalFromJson } from '../../src/domain/journal-json.js';
import type { SourceKind } from '../../src/domain/source-document.js';
import { releaseDays } from '../../src/pipeline/mapping/map-document.js';
import {
  type BookedDocument,
  releaseGuid,
  type ReleaseStore,
  type BookedInvoice,
  invoiceOfPayment,
  paymentGuid,
  type PaymentStore,
} from '../../src/sync/follow-up-records.js';
import type { Life } from './life.js';
import { addRow } from './memory-intake-store.js';
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

// Payments of booked invoices, in memory, with the semantics of store/follow-up-store.ts.

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export function memoryPaymentStore(records: MemoryRecords, life: Life): PaymentStore {
  const { kernel } = records;
  return {
    cursor: async () => {
      await life.step(1);
      const { paymentCursor: cursor } = records;
      if (cursor === null) return { fromDate: null, begunAgeMs: null, seenUntil: null };
      const { fromDate, begunAt, seenUntil } = cursor;
      return { fromDate, begunAgeMs: kernel.nowMs - begunAt, seenUntil };
    },
    saveCursor: async (_tenant, fromDate) => {
      await life.step(1);
      const before = records.paymentCursor;
      const goesOn = before !== null && before.fromDate !== null;
      const begunAt = goesOn ? before.begunAt : kernel.nowMs;
      const seenUntil = fromDate === null ? dayOf(before?.begunAt ?? begunAt) : (before?.seenUntil ?? null);
      records.paymentCursor = { fromDate, begunAt, seenUntil };
    },
    withPayments: async (_tenant, guids) => {
      await life.step(1);
      return guids.filter((guid) => {
        const row = records.byGuid.get(guid);
        const isSettled = row !== undefined && row.posting.settlementReference !== null;
        return isSettled || paymentsOf(records, guid).length > 0;
      });
    },
    bookedInvoices: async (_tenant, guids) => {
      await life.step(1);
      return guids.flatMap((guid) => bookedInvoice(records, guid) ?? []);
    },
    begin: async (tenantName, payments) => {
      await life.step(kernel.between('payments take', 1, 5));
      const fresh = payments.filter(
        ({ invoiceGuid, number }) => !records.byGuid.has(paymentGuid(invoiceGuid, number)),
      );
      for (const { invoiceGuid, number, day, key, documentNumber } of fresh) {
        const guid = paymentGuid(invoiceGuid, number);
        const row = addRow(records, tenantName, { kind: 'payment', guid, number: documentNumber }, key);
        Object.assign(row, { referGuid: invoiceGuid, sourceStatus: '', day });
        kernel.note(`payment ${guid} is begun`);
      }
      await life.step(1);
      return fresh.length;
    },
  };
}

export function paymentsOf(records: MemoryRecords, invoiceGuid: string): PostingRow[] {
  return [...records.rows.values()].filter(
    ({ posting, referGuid }) => posting.kind === 'payment' && referGuid === invoiceGuid,
  );
}

export function bookedInvoice(records: MemoryRecords, guid: Guid): BookedInvoice | null {
  const row = records.byGuid.get(guid);
  if (!row) return null;
  const { posting, acknowledgedAt } = row;
  const isHidden = records.flaws.hidePayments === true;
  return {
    guid,
    key: posting.key,
    state: posting.state,
    isBusy: records.isLeased(row) || isReversing(row),
    contentHash: posting.contentHash,
    bookedOn: dayOf(acknowledgedAt ?? row.stateSince),
    journal: posting.journal,
    settlement: posting.settlementReference && !isHidden ? posting.settlement : null,
    payments: (isHidden ? [] : paymentsOf(records, guid))
      .map((payment) => ({
        number: invoiceOfPayment(payment.posting.guid).number,
        day: payment.day,
        state: payment.posting.state,
        reason: payment.posting.reason?.code ?? null,
        journal: payment.posting.journal,
        isBooked: payment.posting.reference !== null,
        isReversing: records.isLeased(payment) || isReversing(payment),
        isBefore: payment.stateSince < (acknowledgedAt ?? 0),
      }))
      .toSorted((one, other) => one.number - other.number),
  };
}

function isReversing({ posting, attempts }: PostingRow): boolean {
  const present = [posting.reference, posting.settlementReference];
  return attempts.some(
    ({ part, request, outcome }) =>
      part === 'reversal' &&
      present.some((reference) => request.includes(`"${reference?.id ?? ''}"`)) &&
      !['rejected', 'never-sent', 'transient', 'auth'].includes(outcome ?? ''),
  );
}
