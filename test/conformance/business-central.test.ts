import { testConformance } from '../support/erp/test-conformance.js';
import { businessCentralQueueTarget, businessCentralTarget } from './targets/business-central.js';

testConformance(businessCentralTarget);
testConformance(businessCentralQueueTarget);
