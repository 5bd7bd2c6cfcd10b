import { testConformance } from '../support/erp/test-conformance.js';
import { dkPlusTarget } from './targets/dkplus.js';

testConformance(dkPlusTarget);
