import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../route-context.js';
import { field, sendHtml, sendPage } from './answer.js';
import { AUDIT } from '../../operations/lists.js';
import { auditFacts } from '../../operations/history.js';
import type { AuditCheck, AuditEntryView } from '../../operations/views/audit.js';
import { html, type Html } from '../html.js';
import { decimal, exactMoment } from '../language/format.js';
import type { Visit } from '../visit.js';
import { chip, empty, link } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addAudit(app: FastifyInstance, context: RouteContext): void {
  app.get('/audit', VIEWER, async (request, reply) => {
    const { visit, query } = request;
    const filters = {
      actor: field(query, 'actor', AUDIT.actor.charactersMax).trim(),
      subject: field(query, 'subject', AUDIT.subject.charactersMax).trim(),
    };
    const after = field(query, 'after', AUDIT.after.charactersMax);
    const { items, next } = await request.within.operations.audit({
      ...(visit.tenant === null ? {} : { chain: visit.tenant }),
      ...(filters.actor === '' ? {} : { actor: filters.actor }),
      ...(filters.subject === '' ? {} : { subject: filters.subject }),
      ...(after === '' ? {} : { after }),
    });
    const content = auditContent(visit, items, next, filters);
    return sendPage(request, reply, context, { title: visit.text.audit.title, here: 'audit', content });
  });

  app.get('/audit/verify', { config: { access: 'viewer', everywhere: true } }, async (request, reply) => {
    const content = auditVerdict(request.visit, await request.within.operations.verifyAudit());
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.audit;
    return sendPage(request, reply, context, { title, here: 'audit', content });
  });
}

function auditContent(
  visit: Visit,
  items: readonly AuditEntryView[],
  next: string | null,
  filters: { actor: string; subject: string },
): Html {
  const { audit, frame } = visit.text;
  return html`<h1>${audit.title}</h1>
    <form class="filters" method="get" action="/audit">
      ${visit.tenant !== null && html`<input type="hidden" name="tenant" value="${visit.tenant}" />`}
      <label>${audit.who}<input name="actor" value="${filters.actor}" maxlength="100" /></label>
      <label>${audit.subject}<input name="subject" value="${filters.subject}" maxlength="100" /></label>
      <button type="submit">${frame.filter}</button>
      <button type="button" hx-get="/audit/verify" hx-target="#verified">${audit.verify}</button>
      <span id="verified" role="status"></span>
    </form>
    ${items.length === 0 ? empty(audit.emptyTitle, audit.empty) : auditTable(visit, items)}
    <div class="pager">
      ${next !== null && html`<a href="${link(visit, '/audit', { ...filters, after: next })}">${frame.next} →</a>`}
    </div>`;
}

function auditTable(visit: Visit, items: readonly AuditEntryView[]): Html {
  const { audit, frame } = visit.text;
  return html`<table class="rows">
    <thead>
      <tr>
        <th>${audit.when}</th>
        <th>${audit.who}</th>
        <th>${audit.what}</th>
        <th>${audit.subject}</th>
        <th>${frame.reason}</th>
      </tr>
    </thead>
    <tbody>
      ${items.map((entry) => {
        const isPosting = /^[0-9a-f-]{36}$/.test(entry.subject);
        return html`<tr ${isPosting && html`data-href="/documents/${entry.subject}"`}>
          <td class="at-b nowrap">${exactMoment(entry.at)}</td>
          <td class="at-d">${entry.actor}</td>
          <td class="at-a nowrap">${entry.action}</td>
          <td class="at-c ellipsis wide">
            ${isPosting ? html`<a href="/documents/${entry.subject}"><code>${entry.subject}</code></a>` : entry.subject}
          </td>
          <td class="at-c ellipsis wide">
            ${[entry.reason, auditFacts(entry, visit.language)].filter((part) => part !== null && part !== '').join(' · ')}
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function auditVerdict(visit: Visit, check: AuditCheck): Html {
  const { audit } = visit.text;
  if (check.whole) return chip('posted', audit.whole(decimal(check.entries)));
  return html`${check.breaks.map(({ chain, number, what }) => chip('failed', `${audit.broken}: ${chain} ${number} ${what}`))}`;
}
