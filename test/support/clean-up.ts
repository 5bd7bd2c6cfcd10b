// After each file of tests: no directory of it stays behind.
import { afterAll } from 'vitest';
import { removeTemporaryDirectories } from './erp/erp-services.js';

afterAll(removeTemporaryDirectories);
