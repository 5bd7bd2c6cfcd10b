// What an answer of dkPlus means. dk gives `{Message}` and no codes, and documents no limit of requests.
import { messageDispositions, type RefusalTexts } from '../message-dispositions.js';
import { told } from '../told.js';

const texts: RefusalTexts['texts'] = [
  { text: /period|tímabil/i, code: 'closed-period' },
  { text: /account .* (closed|blocked)|lokaður/i, code: 'blocked-account' },
  { text: /account .* not (found|exist)|reikningur .* (finnst|er) ekki/i, code: 'unknown-account' },
  { text: /customer|vendor|viðskiptamaður|lánardrottinn/i, code: 'unknown-party' },
  { text: /dim(ension)? ?[1-3]|vídd/i, code: 'unknown-dimension' },
  { text: /balance|stemm/i, code: 'unbalanced' },
];

export const { errorMessage, refused, judge } = messageDispositions({
  system: 'dkPlus',
  texts,
  noEntry: (answer) => told('DKPLUS_REFUSED', { answer }),
});
