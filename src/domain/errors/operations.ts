import type { ErrorTable } from './definition.js';

export const OPERATIONS_ERRORS = {
  SECOND_PERSON_NEEDED: {
    disposition: 'stop',
    status: 409,
    meaning: 'The tenant wants two people for this act, and only one has asked for it.',
    remedy:
      'Somebody else does the same, or agrees: on the page Approvals, or with `ledgerbridge approvals agree`.',
  },
  APPROVAL_NOT_FOUND: {
    disposition: 'stop',
    status: 404,
    meaning: 'Nothing waits for an agreement under that id: it was agreed to, withdrawn, or is too old.',
    remedy: 'List what waits with `ledgerbridge approvals`.',
  },
  DOCUMENT_NOT_FOUND: {
    disposition: 'stop',
    status: 404,
    exit: 'unavailable',
    meaning: 'No document has that id or guid.',
    remedy: 'Search for it with `ledgerbridge documents`.',
  },
  DOCUMENT_AMBIGUOUS: {
    disposition: 'stop',
    status: 409,
    meaning: 'More than one document fits what was given.',
    remedy: 'Use the id or the guid, or name the tenant too.',
  },
  ACT_WITHOUT_REASON: {
    disposition: 'stop',
    status: 400,
    meaning: 'An act of an operator needs a person and a reason.',
    remedy: 'Say what the message asks for: `--reason` and `--by` on the command line, `reason` in the API.',
  },
  ACT_NOT_POSSIBLE: {
    disposition: 'stop',
    status: 409,
    meaning: 'The document is in a state from which this cannot be done.',
    remedy: 'Look at it with `ledgerbridge explain`: it lists what can be done.',
  },
  POSTING_BUSY: {
    disposition: 'retry',
    status: 409,
    meaning: 'A worker is at the document at this moment.',
    remedy: 'Try again in a few seconds.',
  },
  NOTHING_CHOSEN: {
    disposition: 'stop',
    status: 400,
    meaning: 'No document was chosen, or too many.',
    remedy: 'Name documents, a cause, a tenant or states; `ledgerbridge problems` lists the causes.',
  },
  RUN_NOT_FOUND: {
    disposition: 'stop',
    status: 404,
    exit: 'unavailable',
    meaning: 'There is no run with that id.',
    remedy: 'List the runs with `ledgerbridge replay --list`.',
  },
  SUBMISSION_NOT_FOUND: {
    disposition: 'stop',
    exit: 'usage',
    status: 404,
    meaning: 'There is no submission of that name, or more than one.',
    remedy: 'List them with `ledgerbridge outgoing list`, and name one by its id.',
  },
  CERTIFICATE_NOT_FOUND: {
    disposition: 'stop',
    exit: 'usage',
    status: 404,
    meaning: 'There is no certificate with this id.',
    remedy: 'List them with `ledgerbridge certificates`.',
  },
  INCIDENT_NOT_FOUND: {
    disposition: 'stop',
    status: 404,
    exit: 'unavailable',
    meaning: 'There is no such incident, or it is settled already.',
    remedy: 'List them with `ledgerbridge incidents`.',
  },
  ERP_REFERENCE_UNKNOWN: {
    disposition: 'stop',
    status: 409,
    meaning: 'The ERP does not know the entry, or knows several by that name.',
    remedy: 'Look the entry up in the ERP and give its own number or id.',
  },
  ERP_REFERENCE_TAKEN: {
    disposition: 'stop',
    status: 409,
    meaning: 'The entry stands for another document already.',
    remedy: 'Find the entry of this document; if there is none, replay it.',
  },
  ERP_ENTRY_NOT_STANDING: {
    disposition: 'stop',
    status: 409,
    meaning: 'The entry in the ERP was reversed, or is only a draft: it does not stand for a document.',
    remedy: 'Name the entry that stands for it; if there is none, replay the document.',
  },
  ERP_ENTRY_DIFFERS: {
    disposition: 'stop',
    status: 409,
    meaning: 'The entry in the ERP is not what this document says.',
    remedy:
      'Compare the two. If it is the same document, booked by hand on other accounts or at another rate, accept the differences explicitly.',
  },
  ERP_NOT_ANSWERING: {
    disposition: 'retry',
    status: 502,
    meaning: 'The ERP could not be asked.',
    remedy: 'Try again when it answers; `ledgerbridge tenant check` says how it is.',
  },
  ERP_CANNOT_REVERSE: {
    disposition: 'stop',
    status: 409,
    meaning: 'This ERP takes no reversals from outside.',
    remedy: 'Reverse the entry in the ERP itself, then skip the document or mark it with the new entry.',
  },
  ERP_REFUSED_REVERSAL: {
    disposition: 'stop',
    status: 409,
    meaning: 'The ERP refused the reversal.',
    remedy: 'Read its message; when the period is closed, give a day in an open one with --date.',
  },
  REVERSAL_UNKNOWN: {
    disposition: 'look-up',
    status: 502,
    meaning: 'It is not known whether the ERP took a reversal.',
    remedy:
      'Reverse it again after fifteen minutes: the bridge looks for the reversal before it sends another.',
  },
  MOVE_TO_NEW_REFUSED: {
    disposition: 'stop',
    status: 409,
    meaning: 'The invoicing service did not move the cost to New.',
    remedy: 'Move it there by hand, then approve it: the next sweep brings it back.',
  },
  PLAN_UNCHECKED: {
    disposition: 'stop',
    status: 409,
    exit: 'problems',
    meaning:
      'The first plan of a tenant was not confirmed, because the ERP could not be asked what it lacks.',
    remedy:
      'Mend the connection (`ledgerbridge tenant check` says how it is) and confirm again. To begin without: `--unchecked`, `unchecked` in the API, the box in the dashboard’s dialog.',
  },
  PLAN_OTHER_COMPANY: {
    disposition: 'stop',
    status: 409,
    exit: 'problems',
    meaning: 'The ERP’s books belong to another company than the documents.',
    remedy:
      'Correct the credentials or the company in the tenant file. If it is meant, as for a branch: `--other-company`, `otherCompany` in the API, the box in the dashboard’s dialog.',
  },
  PLAN_HAS_ERRORS: {
    disposition: 'stop',
    status: 409,
    exit: 'problems',
    meaning: 'The plan was not confirmed, because the ERP lacks what its documents need.',
    remedy:
      'Mend what the plan names, then confirm. To begin all the same: `--despite-errors`, `despiteErrors` in the API, the box in the dashboard’s dialog; those documents will be held.',
  },
  TOKEN_INVALID: {
    disposition: 'stop',
    status: 400,
    meaning: 'A token cannot be made like that, or there is none with that id.',
    remedy: 'See `ledgerbridge token --help`; `ledgerbridge token list` shows those that exist.',
  },
  NO_RECORDS: {
    disposition: 'stop',
    exit: 'unavailable',
    meaning: 'No bridge has ever served these records, or only an older one.',
    remedy:
      'Start the bridge with `ledgerbridge serve` (or `ledgerbridge db migrate`); check LEDGERBRIDGE_DATA and DATABASE_URL.',
  },
  API_UNAUTHORIZED: {
    disposition: 'stop',
    status: 401,
    meaning: 'The request carries no token, or one that is unknown, expired or revoked.',
    remedy: 'Send `Authorization: Bearer …`; make a token with `ledgerbridge token create`.',
  },
  API_FORBIDDEN: {
    disposition: 'stop',
    status: 403,
    meaning: 'The role of the token does not allow this.',
    remedy: 'Use a token of the role that the message names.',
  },
  API_RATE_LIMITED: {
    disposition: 'rate-limited',
    status: 429,
    meaning: 'More requests than one token may send.',
    remedy: 'Wait as long as Retry-After says.',
  },
  API_REQUEST_INVALID: {
    disposition: 'stop',
    status: 400,
    meaning: 'The request does not have the form that the API document describes.',
    remedy: 'Correct what the message names; /api/v1/docs shows every field.',
  },
  API_PATH_UNKNOWN: {
    disposition: 'stop',
    status: 404,
    meaning: 'There is nothing at this address of the API.',
    remedy: 'Correct the address; /api/v1/docs lists every one.',
  },
  API_METHOD_UNKNOWN: {
    disposition: 'stop',
    status: 405,
    meaning: 'The address exists, but not for this method.',
    remedy: 'Use a method that the header Allow names; /api/v1/docs shows what each does.',
  },
  API_KEY_REUSED: {
    disposition: 'stop',
    status: 422,
    meaning: 'The Idempotency-Key was used for another request.',
    remedy: 'Make a new key for every new request; use it again only to repeat the same one.',
  },
  API_KEY_RUNNING: {
    disposition: 'retry',
    status: 409,
    meaning: 'The same request is being worked on at this moment.',
    remedy: 'Repeat it in a few seconds: the answer will be the same.',
  },
  API_OUTCOME_UNKNOWN: {
    disposition: 'stop',
    status: 409,
    meaning: 'The same request was begun before, and its answer was lost: it may have been done.',
    remedy: 'Look whether it was done. If it was not, send it again with a new Idempotency-Key.',
  },
  HTTP_NOT_LISTENING: {
    disposition: 'stop',
    meaning: 'The address of the API and the dashboard cannot be used, often because another program has it.',
    remedy: 'Set LEDGERBRIDGE_PORT or LEDGERBRIDGE_HOST to another one; 0 takes any free port.',
  },
  ARCHIVE_NOT_WRITTEN: {
    disposition: 'stop',
    exit: 'usage',
    meaning: 'The file for an auditor cannot be written where it was asked for.',
    remedy: 'Name another file with `--output`, or move the one that is there.',
  },
  QUERY_INVALID: {
    disposition: 'stop',
    status: 400,
    exit: 'usage',
    meaning: 'A search or a list was asked for in a way that is not understood.',
    remedy: 'Correct the filter that the message names; pages go on with the `next` of the page before.',
  },
} as const satisfies ErrorTable;
