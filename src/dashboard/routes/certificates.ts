// Certificates of periods: closed, shown, printed, handed over; and the rehearsal of rules.
import { createReadStream } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { vatPeriod } from '../../operations/vat/period.js';
import { FILES, secureHeaders } from '../access/security-headers.js';
import type { RouteContext } from '../route-context.js';
import { type RehearsalAsked, rehearsalContent } from '../views/rehearsal-page.js';
import { field, goTo, sendPage } from './answer.js';
import { actOf } from './document.js';
import { codeText, sidesText } from '../../certificate/certificate-text.js';
import { originalWord } from '../../language/originals.js';
import type { CertificateView } from '../../operations/views/certificate.js';
import { differencesByCode } from '../views/differences.js';
import { html, type Html } from '../html.js';
import { count, day, decimal, money } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, chip, csrfField, empty, note, titleOf } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const EXPORT = { config: { access: 'viewer', exports: 'certificate' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;

interface OneCertificate {
  Params: { id: string };
}

export function addCertificates(app: FastifyInstance, context: RouteContext): void {
  app.get('/certificates', VIEWER, async (request, reply) => {
    const { visit } = request;
    const rows = await request.within.operations.certificates(visit.tenant ?? undefined);
    const content = certificatesContent(visit, rows, lastMonth(visit.now));
    const { title } = visit.text.certificates;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.post('/certificates', OPERATOR, async (request, reply) => {
    const { body } = request;
    const period = vatPeriod(field(body, 'period', 40));
    const { id } = await request.within.operations.closePeriod(
      field(body, 'tenant', 40),
      period,
      actOf(request),
    );
    return goTo(request, reply, `/certificates/${id}`);
  });

  app.get<OneCertificate>('/certificates/:id', VIEWER, async (request, reply) => {
    const row = await request.within.operations.certificate(request.params.id);
    const content = certificateContent(request.visit, row);
    const title = `${request.visit.text.certificates.title} ${row.from} – ${row.to}`;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.get<OneCertificate>('/certificates/:id/pdf', EXPORT, async (request, reply) => {
    const { id } = request.params;
    const language = field(request.query, 'lang', 2) === 'en' ? 'en' : 'is';
    const pdf = await request.within.operations.certificatePdf(id, language);
    secureHeaders(reply, context.cookies.secure, FILES);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="certificate-${id.slice(0, 8)}-${language}.pdf"`)
      .send(pdf);
  });

  app.get<OneCertificate>('/certificates/:id/json', EXPORT, async (request, reply) => {
    const path = await request.within.operations.certificateFile(request.params.id);
    if (path === null) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .type('application/x-ndjson')
      .header(
        'content-disposition',
        `attachment; filename="certificate-${request.params.id.slice(0, 8)}.jsonl"`,
      )
      .send(createReadStream(path));
  });
  addRehearsal(app, context);
}

function addRehearsal(app: FastifyInstance, context: RouteContext): void {
  app.get('/rehearsal', OPERATOR, (request, reply) => {
    const { visit } = request;
    const content = rehearsalContent(visit, { tenant: visit.tenant ?? '', rules: '', since: '' }, null);
    const { title } = visit.text.rehearsal;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.post('/rehearsal', OPERATOR, async (request, reply) => {
    const { body, visit } = request;
    const asked: RehearsalAsked = {
      tenant: field(body, 'tenant', 40),
      rules: field(body, 'rules', 60_000),
      since: field(body, 'since', 10),
    };
    const made = await request.within.operations.rehearse(asked.tenant, {
      ...(asked.rules.trim() === '' ? {} : { rules: asked.rules }),
      ...(asked.since === '' ? {} : { since: asked.since }),
    });
    const content = rehearsalContent(visit, asked, made);
    const { title } = visit.text.rehearsal;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });
}

/** The one that is most likely to be closed. */
function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

// Certificates of periods: the list with a form to close one, and one of them as a page that can be printed.

const LISTED_MAX = 200;

function certificatesContent(visit: Visit, rows: readonly CertificateView[], period: string): Html {
  const { certificates: text } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro} <a href="/rehearsal">${visit.text.rehearsal.title}</a></p>
    ${mayDo(visit.user, 'operator') && closeForm(visit, period)}
    ${
      rows.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${rows.map((row) => listItem(visit, row))}
          </ul>`
    }`;
}

function closeForm(visit: Visit, period: string): Html {
  const { certificates: text, overview } = visit.text;
  const tenants = visit.overview?.tenants ?? [];
  return html`<form
    class="filters"
    method="post"
    action="/certificates"
    hx-post="/certificates"
    hx-disabled-elt="find button"
  >
    ${csrfField(visit)}
    <label
      >${overview.tenant}<select name="tenant" required>
        ${tenants.map(({ name, title }) => html`<option value="${name}" ${name === visit.tenant && html`selected`}>${title}</option>`)}
      </select></label
    >
    <label>${text.period}<input name="period" value="${period}" required maxlength="40" /></label>
    <label>${text.reason}<input name="reason" required minlength="3" maxlength="300" /></label>
    <button class="primary" type="submit">${text.close}</button>
    <div class="act-error"></div>
  </form>`;
}

function verdictChip(visit: Visit, { verdict, differences }: CertificateView): Html {
  const { certificates: text } = visit.text;
  return verdict === 'green' ? chip('posted', text.green) : chip('failed', text.red(differences.length));
}

function listItem(visit: Visit, row: CertificateView): Html {
  const { certificates: text } = visit.text;
  return html`<li class="cause">
    <div>
      <h3>
        ${verdictChip(visit, row)} ·
        <a href="/certificates/${row.id}"
          >${titleOf(visit, row.tenantName)} ${day(row.from)} – ${day(row.to)}</a
        >
      </h3>
      <p class="facts">
        <span>${ago(visit, row.madeAt)}</span><span>${text.madeBy(row.madeBy)}</span
        ><span>${text.records(row.records)}</span>
      </p>
      ${
        row.superseded
          ? html`<p class="dim">${text.superseded}</p>`
          : row.changedSince > 0 && html`<p>${chip('needs-you', text.reopened(row.changedSince))}</p>`
      }
    </div>
  </li>`;
}

function certificateContent(visit: Visit, row: CertificateView): Html {
  const { certificates: text } = visit.text;
  const file = (format: string) => `/certificates/${row.id}/${format}`;
  return html`<h1>${titleOf(visit, row.tenantName)} · ${day(row.from)} – ${day(row.to)}</h1>
    <p>${verdictChip(visit, row)} ${ago(visit, row.madeAt)} · ${text.madeBy(row.madeBy)}</p>
    ${
      row.superseded
        ? html`<p class="dim">${text.superseded}</p>`
        : row.changedSince > 0
          ? note('error', text.reopened(row.changedSince))
          : html`<p class="dim">${text.current}</p>`
    }
    <p>
      <a href="${file('pdf')}?lang=is">PDF (íslenska)</a> ·
      <a href="${file('pdf')}?lang=en">PDF (English)</a> ·
      <a href="${file('json')}">${text.file}</a>
    </p>
    ${
      row.differences.length > 0 &&
      html`<h2>${text.differences}</h2>
        ${differencesByCode(visit, row.differences.slice(0, LISTED_MAX), ({ sentence }) => html`${sentence}`)}
        ${row.differences.length > LISTED_MAX && html`<p>… +${count(row.differences.length - LISTED_MAX)}</p>`}`
    }
    ${documentsPart(visit, row)} ${accountsPart(visit, row)} ${vatPart(visit, row)}
    ${setAsidePart(visit, row)}
    <h2>${text.limits}</h2>
    <ul class="plain-list">
      ${row.limits.map((limit) => html`<li>${limit}</li>`)}
    </ul>
    <h2>${text.proof}</h2>
    <p>${text.root} <code class="hash">${row.root}</code></p>
    ${row.previousRoot !== null && html`<p>${text.previous} <code class="hash">${row.previousRoot}</code></p>`}
    <p>${row.signedBy === null ? text.unsigned : html`${text.signed} <code>${row.signedBy}</code>`}</p>`;
}

function mark(visit: Visit, agrees: boolean): Html {
  const { certificates: text } = visit.text;
  return agrees ? chip('posted', text.agrees) : chip('failed', text.differs);
}

function documentsPart(visit: Visit, row: CertificateView): Html {
  const { certificates: text } = visit.text;
  const tally = (one: { count: number; sum: string } | null) =>
    one === null ? '–' : `${count(one.count)} (${decimal(one.sum)})`;
  const { numbers, entries, audit } = row;
  const originals = Object.entries(row.originals).map(
    ([state, many]) => `${originalWord(visit.language, 'states', state)}: ${count(many)}`,
  );
  const agrees = entries.erp === null || entries.erp === entries.bridge;
  return html`<h2>${text.documents}</h2>
    <table class="journal rows">
      <tbody>
        ${row.documents.map(
          (one) =>
            html`<tr>
              <td class="at-a">${one.subject}</td>
              <td>${text.service} ${tally(one.source)} · ${text.bridge} ${tally(one.bridge)}</td>
              <td>${mark(visit, one.agrees)}</td>
            </tr>`,
        )}
        <tr>
          <td class="at-a">${text.entries}</td>
          <td>
            ${text.bridge} ${count(entries.bridge)} · ${text.erp}
            ${entries.erp === null ? '–' : count(entries.erp)}
          </td>
          <td>${mark(visit, agrees)}</td>
        </tr>
        <tr>
          <td class="at-a">${text.numbers}</td>
          <td>
            ${numbers === null ? '–' : `${numbers.first} – ${numbers.last}, `}${
              numbers !== null &&
              (numbers.missing.length === 0
                ? text.noneMissing
                : `${text.missing} ${numbers.missing.slice(0, LISTED_MAX).join(', ')}`)
            }
          </td>
          <td>${mark(visit, numbers === null || numbers.missing.length === 0)}</td>
        </tr>
        <tr>
          <td class="at-a">${text.originals}</td>
          <td>${originals.join(' · ') || '–'}</td>
          <td></td>
        </tr>
        <tr>
          <td class="at-a">${text.audit}</td>
          <td>${audit.length}</td>
          <td>${audit.whole ? chip('posted', text.whole) : chip('failed', text.broken)}</td>
        </tr>
      </tbody>
    </table>`;
}

function accountsPart(visit: Visit, { accounts }: CertificateView): Html {
  const { certificates: text } = visit.text;
  return html`<h2>${text.accounts}</h2>
    <table class="journal rows">
      <tbody>
        ${accounts.map(
          ({ account, bridge, erp, agrees }) =>
            html`<tr>
              <td class="at-a">${account}</td>
              <td>
                ${text.bridge} ${sidesText(bridge)} ${erp !== null && `· ${text.erp} ${sidesText(erp)}`}
              </td>
              <td>${mark(visit, agrees)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function vatPart(visit: Visit, { vat }: CertificateView): Html | null {
  const { certificates: text } = visit.text;
  if (vat.length === 0) return null;
  return html`<h2>${text.vat}</h2>
    <table class="journal rows">
      <tbody>
        ${vat.map(
          ({ vatCode, rates, debit, credit, erp, agrees }) =>
            html`<tr>
              <td class="at-a">${codeText(vatCode, rates)}</td>
              <td>
                ${text.bridge} ${sidesText({ debit, credit })}
                ${erp !== null && `· ${text.erp} ${sidesText(erp)}`}
              </td>
              <td>${erp !== null && mark(visit, agrees)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function setAsidePart(visit: Visit, { setAside }: CertificateView): Html | null {
  const { certificates: text, kinds, states } = visit.text;
  if (setAside.length === 0) return null;
  const named: Readonly<Record<string, string>> = { ...kinds, ...states };
  return html`<h2>${text.setAside}</h2>
    <ul class="plain-list">
      ${setAside.slice(0, LISTED_MAX).map(
        (one) =>
          html`<li>
            ${named[one.kind] ?? one.kind} ${one.number || one.guid.slice(0, 8)},
            ${money(one.amount, one.currency)}: ${named[one.state] ?? one.state}. ${one.why}
            <span class="dim">${text.decidedBy(one.decidedBy)}</span>
          </li>`,
      )}
      ${setAside.length > LISTED_MAX && html`<li>… +${count(setAside.length - LISTED_MAX)}</li>`}
    </ul>`;
}
