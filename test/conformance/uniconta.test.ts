import { testConformance } from '../support/erp/test-conformance.js';
import { unicontaTarget } from './targets/uniconta.js';

testConformance(unicontaTarget);
