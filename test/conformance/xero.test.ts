import { testConformance } from '../support/erp/test-conformance.js';
import { xeroCurrencyTarget, xeroDocumentsTarget, xeroTarget } from './targets/xero.js';

testConformance(xeroTarget);
testConformance(xeroDocumentsTarget);
testConformance(xeroCurrencyTarget);
