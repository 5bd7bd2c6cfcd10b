import { testConformance } from '../support/erp/test-conformance.js';
import { xeroTarget } from './targets/xero.js';

testConformance(xeroTarget);
