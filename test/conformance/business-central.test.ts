import { testConformance } from '../support/erp/test-conformance.js';
import { businessCentralTarget } from './targets/business-central.js';

testConformance(businessCentralTarget);
