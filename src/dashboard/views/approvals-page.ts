// What waits for a second person: who asked for what and why, and the two things somebody can do about it.
import type { ApprovalView } from '../../operations/views/approval.js';
import { html, type Html } from '../html.js';
import { mayDoIn, type Visit } from '../visit.js';
import { moment } from '../language/format.js';
import { ago, chip, empty, note, titleOf } from './parts.js';

export function approvalsContent(visit: Visit, waiting: readonly ApprovalView[], justAsked: boolean): Html {
  const { approvals: text } = visit.text;
  return html`<h1>${text.title}</h1>
    ${justAsked && note('info', text.waits)}
    <p class="dim">${text.more}</p>
    ${
      waiting.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${waiting.map((one) => item(visit, one))}
          </ul>`
    }`;
}

function item(visit: Visit, one: ApprovalView): Html {
  const { approvals: text } = visit.text;
  const title = titleOf(visit, one.tenantName);
  const about = aboutOf(one);
  const name = one.subject === one.tenantName ? title : `${title} · ${one.subject.slice(0, 8)}`;
  return html`<li class="cause" data-href="${about}">
    <div>
      <h3>${chip('needs-you', text.acts[one.act])}</h3>
      <p><a href="${about}">${name}</a></p>
      <p class="said">${one.reason}</p>
      <p class="facts">
        <span>${text.askedBy} ${one.actor}</span>
        <span>${ago(visit, one.askedAt)}</span>
        <span>${text.until} ${moment(one.expiresAt)}</span>
      </p>
    </div>
    ${acts(visit, one)}
  </li>`;
}

function aboutOf({ act, tenantName, subject }: ApprovalView): string {
  switch (act) {
    case 'plan':
      return `/plan?tenant=${tenantName}`;
    case 'outgoing-plan':
      return `/outgoing/tenants/${tenantName}/plan`;
    case 'outgoing-absent':
      return `/outgoing/${subject}`;
    case 'reversal':
    case 'surely-absent':
      return `/documents/${subject}`;
  }
}

function acts(visit: Visit, one: ApprovalView): Html | null {
  const { approvals: text } = visit.text;
  if (!mayDoIn(visit.user, one.tenantName, one.act === 'plan' ? 'admin' : 'operator')) return null;
  const mine = one.actor === visit.user?.login;
  const button = (name: 'agree' | 'withdraw') => {
    const path = `/approvals/${one.id}/${name}`;
    return html`<a
      class="button ${name === 'agree' && 'primary'}"
      href="${path}"
      hx-get="${path}"
      hx-target="#dialog"
      >${text[name]}</a
    >`;
  };
  return html`<div class="acts">
    ${mine ? html`<span class="dim">${text.yours}</span>` : button('agree')} ${button('withdraw')}
  </div>`;
}
