import { MAPPING_REASONS } from './mapping-reasons.js';
import { OUTCOMES } from './outcomes.js';
import { POSTING_REASONS } from './posting-reasons.js';
import { WARNINGS } from './warnings.js';

export const ICELANDIC = { ...MAPPING_REASONS, ...POSTING_REASONS, ...WARNINGS, ...OUTCOMES };
