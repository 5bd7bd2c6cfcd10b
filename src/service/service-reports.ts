// What the service knows beside documents and is worth a file: product sales, who comes to an event, and sums of invoices. Read page
// by page, so that their number does not matter; what cannot be read is handed over as a problem, never left out silently.
import { CodedError } from '../domain/errors/coded-error.js';
import type { Guid, IsoDate } from '../domain/ids.js';
import type { RecordList } from './answers.js';
import type { ApiClient, CallOutcome } from './api-client.js';
import { connectAccount } from './connect-source.js';
import type { SourceServices } from './source-services.js';
import { type SourceSettings, type Surface, surfaceOf } from './source-settings.js';
import type { attendee, invoiceSummaries, productSale, WireShape } from './wire-shapes.js';
import { OPERATIONS, type Page } from './operations.js';

type Of<Shape> = Shape extends WireShape<infer Value> ? Value : never;
export type ProductSale = Of<typeof productSale>;
export type Attendee = Of<typeof attendee>;
export type InvoiceSummaries = Of<typeof invoiceSummaries>;

export interface ServiceReports {
  sales(): AsyncGenerator<ProductSale>;
  /** Of a sale of type EVENT. */
  attendees(sale: Guid): AsyncGenerator<Attendee>;
  summary(from: IsoDate, to: IsoDate): Promise<InvoiceSummaries>;
  close(): Promise<void>;
}

/** `onProblem`: one record could not be read. */
export function connectReports(
  settings: SourceSettings,
  services: SourceServices,
  onProblem: (problem: string) => void,
): ServiceReports {
  const { client } = connectAccount(settings, services);
  const surface = surfaceOf(settings);
  return {
    sales: () =>
      pages('product sales', (page) => OPERATIONS.listProductSales[surface](client, page), onProblem),
    attendees: (guid) =>
      pages(
        `attendees of ${guid}`,
        (page) => OPERATIONS.listAttendees[surface](client, { sale: guid, ...page }),
        onProblem,
      ),
    summary: (from, to) => readSummary(client, surface, from, to),
    close: () => client.close(),
  };
}

async function readSummary(client: ApiClient, surface: Surface, from_date: IsoDate, to_date: IsoDate) {
  const period = { from_date, to_date };
  return valueOf(await OPERATIONS.invoiceSummaries[surface](client, period));
}

const PAGE_SIZE = 100;
const PAGES_MAX = 1_000;

/** Ends when as many were listed as the service counts; where it counts nothing, with a page that is not full. It may give less than asked. */
async function* pages<T>(
  what: string,
  read: (page: Page) => Promise<CallOutcome<RecordList<T>>>,
  onProblem: (problem: string) => void,
): AsyncGenerator<T> {
  let listed = 0;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { records, problems, total } = valueOf(await read({ limit: PAGE_SIZE, page }));
    for (const { index, guid, problem } of problems)
      onProblem(
        `${what}, record ${String(listed + index + 1)}${guid === null ? '' : ` (${guid})`}: ${problem}`,
      );
    yield* records;
    const came = records.length + problems.length;
    listed += came;
    if (came === 0 || (total === null ? came < PAGE_SIZE : listed >= total)) return;
  }
  onProblem(`${what}: more than ${String(PAGES_MAX * PAGE_SIZE)}; the rest was not read`);
}

function valueOf<T>(outcome: CallOutcome<T>): T {
  if (outcome.outcome === 'ok') return outcome.value;
  throw new CodedError('SOURCE_REFUSED', outcome.message);
}
