// The password or code again, before people and tokens are changed: a browser that was left open is not enough.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Secret } from '../../domain/secret.js';
import { readSession } from '../access/cookies.js';
import type { RouteContext } from '../route-context.js';
import { field, ownPath, sendPage } from './answer.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { csrfField, note } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addConfirmPerson(app: FastifyInstance, context: RouteContext): void {
  const { users, cookies } = context;

  async function show(request: FastifyRequest, reply: FastifyReply, next: string, problem: string | null) {
    const { visit } = request;
    const { on } = await users.secondFactor.state(visit.user?.login ?? '');
    const elsewhere = visit.user?.external === true ? (context.identity?.name ?? null) : null;
    const content = confirmContent(visit, { next, problem, wantsCode: on, elsewhere });
    const frame = { title: visit.text.confirmPerson.title, here: 'account', content } as const;
    return sendPage(request, reply, context, frame, problem === null ? 200 : 400);
  }

  app.get('/account/confirm', VIEWER, (request, reply) =>
    show(request, reply, ownPath(field(request.query, 'next', 2_000)), null),
  );
  app.post('/account/confirm', VIEWER, async (request, reply) => {
    const { visit, body } = request;
    const next = ownPath(field(body, 'next', 2_000));
    const sessionId = readSession(request, cookies) ?? '';
    const proof = new Secret(field(body, 'proof', 200));
    const isRight = await users.prove(visit.user?.login ?? '', proof, sessionId, request.ip);
    return isRight ? reply.redirect(next, 303) : show(request, reply, next, visit.text.confirmPerson.wrong);
  });
}

// Asks somebody who is signed in for their password or code again.

interface ConfirmForm {
  readonly next: string;
  readonly problem: string | null;
  readonly wantsCode: boolean;
  /** Name of the identity provider of somebody who signs in there; null: they have a password here. */
  readonly elsewhere: string | null;
}

function confirmContent(visit: Visit, form: ConfirmForm): Html {
  const { confirmPerson: text, signIn } = visit.text;
  return html`<h1>${text.title}</h1>
    ${form.problem !== null && note('error', form.problem)}
    <p>${text.what}</p>
    ${
      form.elsewhere === null
        ? proofForm(visit, form)
        : html`<p>
            <a class="button primary" href="/login/openid?next=${encodeURIComponent(form.next)}"
              >${signIn.elsewhere(form.elsewhere)}</a
            >
          </p>`
    }`;
}

function proofForm(visit: Visit, { next, wantsCode }: ConfirmForm): Html {
  const { confirmPerson: text, signIn, users } = visit.text;
  return html`<form method="post" action="/account/confirm" class="narrow">
    ${csrfField(visit)}
    <input type="hidden" name="next" value="${next}" />
    <label class="field"
      >${wantsCode ? signIn.code : users.currentPassword}<input
        name="proof"
        type="${wantsCode ? 'text' : 'password'}"
        autocomplete="${wantsCode ? 'one-time-code' : 'current-password'}"
        autocapitalize="none"
        spellcheck="false"
        required
        maxlength="200"
        autofocus
      />${wantsCode && html`<small>${signIn.codeHelp}</small>`}</label
    >
    <button type="submit" class="primary">${text.submit}</button>
  </form>`;
}
