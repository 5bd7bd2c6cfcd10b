// What an adapter outside this repository builds on, in one place, so that it imports one module and nothing by accident.
// The adapters in here import the pieces themselves.
export { Decimal, sum, ZERO } from '../../src/domain/money.js';
export { CodedError } from '../../src/domain/errors/coded-error.js';
export {
  isGross,
  type Journal,
  type JournalLine,
  type JournalParty,
  type LineRole,
  partyWith,
} from '../../src/domain/journal.js';
export { isPostingKey } from '../../src/domain/posting-key.js';
export type { Clock } from '../../src/domain/runtime.js';
export { Secret } from '../../src/domain/secret.js';
export { secretReference, type SecretReference } from '../../src/domain/secret-reference.js';
export type { IsoDate } from '../../src/domain/source-document.js';
export {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type HttpResult,
} from '../../src/http/http-client.js';
export { retryAfterMs } from '../../src/http/exchange.js';
export { readWireJson, wireAmount, wireInteger, writeWireJson } from '../../src/http/wire-json.js';
export {
  alreadyThere,
  confirmed,
  foundEntries,
  draftsAndPosted,
  type ErpBooks,
  KeyedBooks,
  listed,
  OneAtATime,
  setAgainst,
  withUnmatched,
} from '../../src/erp/keyed-books.js';
export {
  type Answer,
  asLookUp,
  asRead,
  inDoubt,
  type LookUpAnswer,
  type ReadAnswer,
  ReadFailed,
} from '../../src/erp/answer.js';
export { chartProblems, type ChartProblems } from '../../src/erp/chart.js';
export { checkJournal, compareEntry } from '../../src/erp/compare-entry.js';
export { clipText } from '../../src/erp/line-text.js';
export {
  books,
  deadlineMs,
  foreignDocuments,
  kennitala,
  partners,
  serviceUrl,
  subledger,
} from '../../src/erp/config-schemas.js';
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
export type * from '../../src/erp/erp-adapter.js';
export { PORT_VERSION } from '../../src/erp/erp-adapter.js';
export { erpHttpClient } from '../../src/erp/erp-http.js';
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
} from '../../src/erp/erp-http.js';
export {
  type JournalJson,
  journalFromPlain,
  journalJsonSchema,
  plainJournal,
} from '../../src/domain/journal-json.js';
export { headText, lineText } from '../../src/erp/line-text.js';
export {
  allPages,
  MessageApi,
  messageDispositions,
  type MessageDispositions,
  type RefusalTexts,
} from '../../src/erp/message-api.js';
export { Chart, type ChartFacts, type ChartOptions, type Wanted } from '../../src/erp/chart.js';
export { mirrorJournal } from '../../src/erp/reversal.js';
export { owedOn } from '../../src/erp/owed-line.js';
export { periodFindings } from '../../src/erp/chart.js';
export { createPartnerDirectory, type PartnerDirectory, Remembered, resolvePartners } from './answering.js';
export { partyNumber, partySpellings } from '../../src/erp/partner-directory.js';
export { reverseByMirror } from '../../src/erp/reversal.js';
