// A document as the service has it now. It is read three times on its way and stored once: the text that is stored is made for whoever
// asks for it.
import { canonicalJson } from '../domain/canonical-json.js';
import { onceOf } from '../domain/once-of.js';
import type { SourceDocument } from '../domain/source-document.js';
import type { JsonObject } from './wire-json.js';

export class Found {
  readonly outcome = 'found';
  readonly document: SourceDocument;
  readonly record: JsonObject;

  constructor(document: SourceDocument, record: JsonObject) {
    this.document = document;
    this.record = record;
  }

  get snapshot(): string {
    return snapshotOf(this.record);
  }
}

/** Everything but the attachment, which is large and is fetched again when it is needed. */
export const snapshotOf = onceOf((raw: JsonObject) => {
  const { file: _file, ...rest } = raw;
  return canonicalJson(rest);
});
