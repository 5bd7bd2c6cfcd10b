import { describe, test } from 'vitest';
import { testConformance } from '../support/erp/test-conformance.js';
import { has } from '../support/services.js';
import { trytonTarget } from './targets/tryton.js';

if (has('trytond')) testConformance(trytonTarget);
else describe.skip('tryton adapter', () => test('needs trytond'));
