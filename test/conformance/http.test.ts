import { KEY_PROMISES } from '../../src/erp/http/settings.js';
import { testConformance } from '../support/erp/test-conformance.js';
import { httpTarget } from './targets/http.js';

for (const keys of KEY_PROMISES) testConformance(httpTarget(keys));
