import { CONFORMANCE_CASES } from '../../lab/kit/conformance/run-conformance.js';
import { testConformance } from '../support/erp/test-conformance.js';
import {
  businessCentralCurrencyTarget,
  businessCentralDocumentsTarget,
  businessCentralQueueTarget,
  businessCentralTarget,
} from './targets/business-central.js';

/** The connection, the chart and partners are the same code for journals and for documents. */
const SHARED = [
  ...['bad-credentials', 'wrong-company', 'unreachable', 'html-body', 'expired-token', 'health', 'validate'],
  ...['new-party-once', 'unbalanced', 'closed-period', 'unknown-account', 'unknown-dimension'],
];
/** What a currency changes about a document. */
const OF_CURRENCY = ['read-back', 'foreign-currency', 'dimensions', 'vat-split', 'reverse', 'list-entries'];

testConformance(businessCentralTarget);
testConformance(businessCentralQueueTarget);
testConformance(businessCentralDocumentsTarget, SHARED);
testConformance(
  businessCentralCurrencyTarget,
  CONFORMANCE_CASES.map(({ id }) => id).filter((id) => !OF_CURRENCY.includes(id)),
);
