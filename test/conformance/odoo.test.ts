import { testConformance } from '../support/erp/test-conformance.js';
import { odooDocumentsTarget, odooRpcTarget, odooTarget } from './targets/odoo.js';

testConformance(odooTarget);
testConformance(odooDocumentsTarget);
testConformance(odooRpcTarget);
