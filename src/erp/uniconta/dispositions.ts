// What an answer of Uniconta means. It refuses with a text or `{Message}` and a status below 500; which text means what is assumed, so
// what could be refused is looked up before anything is sent.
import { messageDispositions } from '../message-dispositions.js';
import { told } from '../told.js';

export const { errorMessage, refused, judge } = messageDispositions({
  system: 'Uniconta',
  texts: [
    { text: /closed|period/i, code: 'closed-period' },
    { text: /debtor|creditor/i, code: 'unknown-party' },
    { text: /account/i, code: 'unknown-account' },
    { text: /dim/i, code: 'unknown-dimension' },
  ],
  noEntry: (answer) => told('UNICONTA_REFUSED', { answer }),
});
