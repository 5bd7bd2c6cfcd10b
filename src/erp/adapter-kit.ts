// What an adapter outside this repository builds on, in one place, so that it imports one module and nothing by accident.
// The adapters in here import the pieces themselves.
export { Decimal, sum, ZERO } from '../domain/decimal.js';
export { CodedError } from '../domain/errors/coded-error.js';
export {
  isGross,
  type Journal,
  type JournalLine,
  type JournalParty,
  type LineRole,
  partyWith,
} from '../domain/journal.js';
export { isPostingKey } from '../domain/posting-key.js';
export type { Clock } from '../domain/runtime.js';
export { Secret } from '../domain/secret.js';
export { secretReference, type SecretReference } from '../domain/secret-reference.js';
export type { IsoDate } from '../domain/source-document.js';
export {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type HttpResult,
} from '../http/http-client.js';
export { retryAfterMs } from '../http/retry-after.js';
export { readWireJson, wireAmount, wireInteger, writeWireJson } from '../http/wire-json.js';
export { alreadyThere, confirmed } from './already-there.js';
export { type Answer, asLookUp, asRead, inDoubt, type LookUpAnswer, type ReadAnswer } from './answer.js';
export { chartProblems, type ChartProblems } from './chart-problems.js';
export { checkJournal } from './check-journal.js';
export { clipText } from './clip-text.js';
export { compareEntry } from './compare-entry.js';
export {
  books,
  deadlineMs,
  foreignDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from './config-schemas.js';
export {
  type ConformanceBed,
  type ConformanceCaseId,
  type ConformanceChart,
  type ConformanceTarget,
  type ConnectVariant,
  type Fault,
  type FaultStep,
  type KeptFile,
} from './conformance/target.js';
export { FaultProxy, type ProxiedRequest, type RequestClass } from './conformance/fault-proxy.js';
export type * from './erp-adapter.js';
export { PORT_VERSION } from './erp-adapter.js';
export { erpHttpClient } from './erp-http.js';
export { foundEntries } from './found-entries.js';
export {
  dispositionOf,
  failedSend,
  type FailedSend,
  type HttpDisposition,
  isSuccess,
  type Purpose,
  type Reading,
  transient,
  unknownYet,
} from './http-dispositions.js';
export {
  type JournalJson,
  journalFromPlain,
  journalJsonSchema,
  plainJournal,
} from '../domain/journal-json.js';
export { headText, lineText } from './line-text.js';
export { messageDispositions, type MessageDispositions, type RefusalTexts } from './message-dispositions.js';
export { mirrorJournal } from './mirror-journal.js';
export { OneAtATime } from './one-at-a-time.js';
export { owedOn } from './owed-line.js';
export { periodFindings } from './period-findings.js';
export { createPartnerDirectory, type PartnerDirectory, resolvePartners } from './partner-directory.js';
export { partyNumber, partySpellings } from './party-key.js';
export { Remembered } from './remembered.js';
export { reverseByMirror } from './reverse-by-mirror.js';
export { setAgainst, withUnmatched } from './set-against.js';
