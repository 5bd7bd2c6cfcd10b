import { CONFORMANCE_CASES } from '../../lab/kit/conformance/run-conformance.js';
import { testConformance } from '../support/erp/test-conformance.js';
import { dkPlusDocumentsTarget, dkPlusTarget } from './targets/dkplus.js';

/** What supplier invoices and currency change; the rest is the same code. */
const OF_DOCUMENTS = [
  ...['read-back', 'foreign-currency', 'known-party', 'nothing-found', 'same-key-twice', 'lost-reply'],
  ...['dimensions', 'reverse', 'find-by-reference', 'list-entries'],
];

testConformance(dkPlusTarget);
testConformance(
  dkPlusDocumentsTarget,
  CONFORMANCE_CASES.map(({ id }) => id).filter((id) => !OF_DOCUMENTS.includes(id)),
);
