import { testConformance } from '../support/erp/test-conformance.js';
import { odooRpcTarget, odooTarget } from './targets/odoo.js';

testConformance(odooTarget);
testConformance(odooRpcTarget);
