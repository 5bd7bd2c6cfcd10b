// One request on its way through a surface: who asks, for which endpoint, what struck it and what it broke.
import type { ArmedFault, FaultKind } from '../faults/fault-plan.js';
import type { JournalEntry } from '../journal.js';
import type { BrokenRule, RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import { DataObject, isObject } from '../service/data-object.js';
import type { UploadedFile, SandboxRequest } from './request.js';

const BROKEN_MAX = 20;

export class Exchange {
  readonly request: SandboxRequest;
  readonly surface: JournalEntry['surface'];
  /** As in the route table; the path until a route is found. */
  endpoint: string;
  account: Account | null = null;
  agent: string | null = null;
  faults: readonly ArmedFault[] = [];
  readonly broken: BrokenRule[] = [];
  message = '';
  readonly fields: DataObject;

  constructor(request: SandboxRequest, surface: JournalEntry['surface']) {
    this.request = request;
    this.surface = surface;
    this.endpoint = `${request.method} ${request.path}`;
    this.fields = fieldsOf(request);
  }

  broke(rule: RuleId, detail: string): void {
    if (this.broken.length < BROKEN_MAX) this.broken.push({ rule, detail });
  }

  fault(kind: FaultKind): ArmedFault | undefined {
    return this.faults.find((fault) => fault.kind === kind);
  }

  file(name: string): UploadedFile | null {
    const { body } = this.request;
    return body.kind === 'form' ? (body.form.files.get(name) ?? null) : null;
  }

  header(name: string): string {
    const value = this.request.headers[name];
    return typeof value === 'string' ? value : '';
  }
}

/** Query and body as one object; what stands in the body wins. */
function fieldsOf({ query, body }: SandboxRequest): DataObject {
  const fields: Record<string, unknown> = Object.fromEntries(query);
  if (body.kind === 'form') Object.assign(fields, Object.fromEntries(body.form.fields));
  if (body.kind === 'json' && isObject(body.value)) Object.assign(fields, body.value);
  return new DataObject(fields);
}
