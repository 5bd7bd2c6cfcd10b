import { testConformance } from '../support/erp/test-conformance.js';
import { fileTarget } from './targets/file.js';

testConformance(fileTarget);
