// Íslenska, á máli bókara.
import type { Messages } from './en.js';
import { FRAME } from './is/frame.js';
import { DOOR } from './is/door.js';
import { OVERVIEW } from './is/overview.js';
import { LISTS } from './is/lists.js';
import { DOCUMENT } from './is/document.js';
import { ACTS } from './is/acts.js';
import { BOOKS } from './is/books.js';
import { CLOSING } from './is/closing.js';
import { OUTGOING } from './is/outgoing.js';
import { REPORTS } from './is/reports.js';
import { TENANTS } from './is/tenants.js';
import { WATCH } from './is/watch.js';
import { PEOPLE } from './is/people.js';

export const ICELANDIC: Messages = {
  ...FRAME,
  ...DOOR,
  ...OVERVIEW,
  ...LISTS,
  ...DOCUMENT,
  ...ACTS,
  ...BOOKS,
  ...CLOSING,
  ...OUTGOING,
  ...REPORTS,
  ...TENANTS,
  ...WATCH,
  ...PEOPLE,
};
