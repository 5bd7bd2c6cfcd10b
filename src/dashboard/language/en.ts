// English, in the words of bookkeepers: a file for each group of pages.
import { FRAME } from './en/frame.js';
import { DOOR } from './en/door.js';
import { OVERVIEW } from './en/overview.js';
import { LISTS } from './en/lists.js';
import { DOCUMENT } from './en/document.js';
import { ACTS } from './en/acts.js';
import { BOOKS } from './en/books.js';
import { CLOSING } from './en/closing.js';
import { OUTGOING } from './en/outgoing.js';
import { REPORTS } from './en/reports.js';
import { TENANTS } from './en/tenants.js';
import { WATCH } from './en/watch.js';
import { PEOPLE } from './en/people.js';

export const ENGLISH = {
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

export type Messages = typeof ENGLISH;
