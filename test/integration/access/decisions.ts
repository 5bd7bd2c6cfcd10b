// Every route of a running bridge, and whose business it is. A route that is added and not decided here fails the matrix.
//   open        says nothing about any company or person
//   self        only about whoever asks
//   own         of companies: whoever sees some only sees these
//   everywhere  of all companies at once: nobody who is confined to some may come
export type Decision = 'open' | 'self' | 'own' | 'everywhere';

const BY_DECISION: Readonly<Record<Decision, string>> = {
  open: `
    GET /health
    GET /ready
    GET /login
    POST /login
    POST /login/code
    GET /setup
    POST /setup
    POST /preferences
    GET /api/v1/docs
    GET /api/v1/openapi.json`,
  self: `
    GET /account/confirm
    POST /account/confirm
    GET /account
    POST /account/password
    POST /account/second-factor/begin
    POST /account/second-factor/confirm
    POST /account/second-factor/off
    POST /account/sign-out
    POST /documents/views
    POST /documents/views/:view/drop
    POST /logout`,
  own: `
    GET /
    GET /approvals
    GET /approvals/:id/:act
    POST /approvals/:id/:act
    GET /audit
    GET /documents
    GET /documents/csv
    POST /documents/chosen/:what
    POST /documents/chosen/:what/done
    GET /documents/:id
    GET /documents/:id/act/:action
    POST /documents/:id/act/:action
    GET /documents/:id/originals/:original
    GET /documents/:id/source
    GET /events
    GET /inbox
    POST /inbox/preview
    POST /inbox/save
    GET /incidents
    GET /incidents/:id/:act
    POST /incidents/:id/:act
    GET /plan
    GET /plan/confirm
    POST /plan/confirm
    GET /plan/made
    GET /problems
    GET /reconciliation
    POST /reconciliation
    GET /replay
    POST /replay
    GET /replay/:id
    POST /replay/start
    GET /replays
    GET /schedules
    GET /tenants
    GET /tenants/:name
    GET /tenants/:name/check
    GET /tenants/:name/pause
    POST /tenants/:name/notify
    POST /tenants/:name/pause
    GET /tenants/:name/resume
    POST /tenants/:name/resume
    GET /tenants/:name/sweep
    POST /tenants/:name/sweep
    GET /outgoing
    GET /outgoing/:id
    GET /outgoing/:id/:act
    POST /outgoing/:id/:act
    GET /outgoing/tenants/:tenant/plan
    GET /outgoing/tenants/:tenant/:act
    POST /outgoing/tenants/:tenant/:act
    GET /api/v1/outgoing
    GET /api/v1/outgoing/problems
    GET /api/v1/tenants/:tenant/outgoing/plan
    POST /api/v1/tenants/:tenant/outgoing/confirm
    POST /api/v1/tenants/:tenant/outgoing/pause
    POST /api/v1/tenants/:tenant/outgoing/resume
    GET /api/v1/submissions
    GET /api/v1/submissions/:id
    POST /api/v1/submissions/:id/replay
    POST /api/v1/submissions/:id/skip
    POST /api/v1/submissions/:id/withdraw
    POST /api/v1/submissions/:id/use
    POST /api/v1/submissions/:id/settle
    GET /certificates
    POST /certificates
    GET /certificates/:id
    GET /certificates/:id/json
    GET /certificates/:id/pdf
    GET /rehearsal
    POST /rehearsal
    GET /reports
    GET /reports/csv
    GET /vat
    GET /vat/csv
    GET /vat/json
    GET /vat/pdf
    GET /api/v1/approvals
    POST /api/v1/approvals/:id/agree
    POST /api/v1/approvals/:id/withdraw
    GET /api/v1/audit
    GET /api/v1/certificates
    GET /api/v1/certificates/:id
    GET /api/v1/certificates/:id/pdf
    POST /api/v1/tenants/:tenant/close
    POST /api/v1/tenants/:tenant/rehearse
    GET /api/v1/documents
    GET /api/v1/documents/:id
    POST /api/v1/documents/:id/hold
    POST /api/v1/documents/:id/mark-posted
    POST /api/v1/documents/:id/move-to-new
    POST /api/v1/documents/:id/release
    POST /api/v1/documents/:id/repost
    POST /api/v1/documents/:id/reverse
    POST /api/v1/documents/:id/skip
    GET /api/v1/inbox
    GET /api/v1/incidents
    POST /api/v1/incidents/:id/acknowledge
    POST /api/v1/incidents/:id/resolve
    POST /api/v1/notifications/test
    GET /api/v1/overview
    GET /api/v1/problems
    POST /api/v1/replays
    POST /api/v1/replays/preview
    GET /api/v1/runs
    GET /api/v1/runs/:id
    GET /api/v1/schedules
    GET /api/v1/tenants/:tenant/cursors
    POST /api/v1/tenants/:tenant/cursors
    GET /api/v1/tenants/:tenant/export
    POST /api/v1/tenants/:tenant/pause
    GET /api/v1/tenants/:tenant/plan
    POST /api/v1/tenants/:tenant/plan/confirm
    POST /api/v1/tenants/:tenant/reconcile
    POST /api/v1/tenants/:tenant/resume
    POST /api/v1/tenants/:tenant/sweep
    GET /api/v1/tenants/:tenant/reports/:report
    GET /api/v1/tenants/:tenant/vat
    GET /api/v1/tenants/:tenant/vat/:format
    GET /api/v1/throughput`,
  everywhere: `
    GET /audit/verify
    GET /metrics
    GET /queues
    GET /users
    POST /users
    POST /users/:login/companies
    POST /users/:login/disable
    POST /users/:login/enable
    POST /users/:login/password
    POST /users/:login/role
    POST /users/:login/second-factor-off
    POST /users/:login/sign-out
    POST /tokens
    POST /tokens/:id/revoke
    GET /api/v1/audit/check
    GET /api/v1/tokens
    POST /api/v1/tokens
    POST /api/v1/tokens/:id/revoke`,
};

const DECIDED = new Map(
  Object.entries(BY_DECISION).flatMap(([decision, routes]) =>
    routes
      .trim()
      .split('\n')
      .map((route) => [route.trim(), decision as Decision] as const),
  ),
);

export const DECIDED_ROUTES = [...DECIDED.keys()];

/** null: nobody decided. Whatever is not there below the API, files of the pages, and the queue board are decided as a whole. */
export function decisionOf(method: string, url: string): Decision | null {
  if (url === '/api/v1' || url === '/api/v1*' || url.startsWith('/assets/')) return 'open';
  if (url.startsWith('/queues/board')) return 'everywhere';
  // Let in by the signature of an origin: whoever has only a session or a token is told nothing.
  if (url.startsWith('/intake/v1/')) return 'open';
  return DECIDED.get(`${method} ${url}`) ?? null;
}
