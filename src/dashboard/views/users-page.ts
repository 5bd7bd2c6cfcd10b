// People and tokens, and one's own account.
import { highestRole, type Reach } from '../../operations/access/reach.js';
import { companyText } from '../../operations/users/company-roles.js';
import { type User, type UserRole, USER_ROLES } from '../../operations/users/user-records.js';
import type { TokenView } from '../../operations/views/act.js';
import type { SecurityRow } from '../../operations/records.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import type { Visit } from '../visit.js';
import { ago, code, csrfField, note } from './parts.js';
import { type FactorPart, secondFactorPart } from './second-factor.js';
import { securityText } from '../../language/security-text.js';

export interface Told {
  readonly problem: string | null;
  readonly done: string | null;
  /** Shown this once. */
  readonly token: string | null;
}

export interface UsersShown {
  readonly users: readonly User[];
  readonly tokens: readonly TokenView[];
  /** The latest first. */
  readonly news: readonly SecurityRow[];
}

export function usersContent(visit: Visit, { users, tokens, news }: UsersShown, told: Told): Html {
  const { users: text } = visit.text;
  return html`<h1>${text.title}</h1>
    ${told.problem !== null && note('error', told.problem)} ${told.done !== null && note('ok', told.done)}
    ${visit.user?.proven !== true && confirmFirst(visit)}
    <section>
      <h2>${text.people}</h2>
      ${userTable(visit, users)} ${addUserForm(visit)}
    </section>
    <section>
      <h2>${text.tokens}</h2>
      <p class="dim">${text.tokensMore}</p>
      ${
        told.token !== null &&
        html`<div class="note note-ok" role="status">
          <p>${text.token}</p>
          ${code(visit, told.token)}
        </div>`
      }
      ${tokens.length === 0 ? html`<p class="dim">${text.noTokens}</p>` : tokenTable(visit, tokens)}
      ${addTokenForm(visit)}
    </section>
    ${news.length > 0 && securityPart(visit, news)}`;
}

/** Before somebody fills in a form that would be lost. */
function confirmFirst({ text: { confirmPerson } }: Visit): Html {
  return html`<p>
    ${confirmPerson.first} <a href="/account/confirm?next=%2Fusers">${confirmPerson.title}</a>
  </p>`;
}

function roleSelect(visit: Visit, chosen: UserRole): Html {
  const { roles, rolesWhat, role } = visit.text.users;
  return html`<select name="role" aria-label="${role}">
    ${USER_ROLES.map((one) => html`<option value="${one}" ${one === chosen && html`selected`}>${roles[one]}: ${rolesWhat[one]}</option>`)}
  </select>`;
}

function act(visit: Visit, path: string, name: string, fields: Html | null = null): Html {
  return html`<form method="post" action="${path}" class="inline">
    ${csrfField(visit)}${fields}<button class="small" type="submit">${name}</button>
  </form>`;
}

/** Names of the companies, each with its role; a long list is folded. */
function companies(visit: Visit, reach: Reach | null): Html {
  const { users: text } = visit.text;
  if (reach === null) return html`${text.allCompanies}`;
  const named = [...reach].map(([name, role]) => `${name} (${text.roles[role]})`);
  if (named.length <= 3) return html`${named.length === 0 ? text.noCompany : named.join(', ')}`;
  return html`<details>
    <summary>${text.someCompanies(named.length)}</summary>
    ${named.join(', ')}
  </details>`;
}

function companiesInput(visit: Visit, value: string): Html {
  const { users: text } = visit.text;
  return html`<input
    name="companies"
    value="${value}"
    placeholder="${text.companiesHelp}"
    aria-label="${text.companies}"
    autocomplete="off"
    autocapitalize="none"
    size="30"
  />`;
}

function userTable(visit: Visit, users: readonly User[]): Html {
  const { users: text, signIn, secondFactor } = visit.text;
  return html`<table class="rows">
    <thead>
      <tr>
        <th>${signIn.login}</th>
        <th>${text.role}</th>
        <th>${text.companies}</th>
        <th>${text.lastSeen}</th>
        <th class="num">${text.sessions}</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${users.map((user) => {
        const path = `/users/${encodeURIComponent(user.login)}`;
        const locked = user.lockedUntil !== null && Date.parse(user.lockedUntil) > visit.now.getTime();
        const mine = user.login === visit.user?.login;
        return html`<tr>
          <td class="at-a">
            ${user.login} ${mine && html`<small>${text.you}</small>`}
            ${user.disabled && html`<small>${text.disabled}</small>`}
            ${locked && html`<small>${text.locked}</small>`}
            ${user.secondFactor && html`<small>${secondFactor.mark}</small>`}
            ${user.external && html`<small>${secondFactor.elsewhere}</small>`}
          </td>
          <td class="at-b">${text.roles[user.reach ? highestRole(user.reach) : user.role]}</td>
          <td class="at-d" data-label="${text.companies}">${companies(visit, user.reach)}</td>
          <td class="at-d" data-label="${text.lastSeen}">
            ${ago(visit, user.lastSeenAt, visit.text.overview.never)}
          </td>
          <td class="num at-d" data-label="${text.sessions}">${count(user.sessions)}</td>
          <td class="at-c">
            <details>
              <summary>${visit.text.frame.details}</summary>
              ${!user.external && ownActs(visit, user, path)}
              ${user.secondFactor && act(visit, `${path}/second-factor-off`, secondFactor.reset)}
              ${act(visit, `${path}/sign-out`, text.signOutEverywhere)}
              ${user.disabled ? act(visit, `${path}/enable`, text.enable) : act(visit, `${path}/disable`, text.disable)}
            </details>
          </td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** Whoever signs in elsewhere has these from there. */
function ownActs(visit: Visit, user: User, path: string): Html {
  const { users: text } = visit.text;
  const password = html`<input
    type="password"
    name="password"
    autocomplete="new-password"
    minlength="12"
    maxlength="200"
    required
    aria-label="${text.newPassword}"
  />`;
  return html`${act(visit, `${path}/role`, text.role, roleSelect(visit, user.role))}
  ${act(visit, `${path}/companies`, text.companies, companiesInput(visit, companyText(user.reach)))}
  ${act(visit, `${path}/password`, text.newPassword, password)}`;
}

function addUserForm(visit: Visit): Html {
  const { users: text, signIn } = visit.text;
  return html`<form method="post" action="/users" class="filters">
    ${csrfField(visit)}
    <label
      >${signIn.login}<input name="login" required maxlength="60" autocomplete="off" autocapitalize="none"
    /></label>
    <label
      >${signIn.password}<input
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minlength="12"
        maxlength="200"
    /></label>
    <label>${text.role}${roleSelect(visit, 'viewer')}</label>
    <label>${text.companies}${companiesInput(visit, '')}</label>
    <button type="submit">${text.add}</button>
  </form>`;
}

function tokenTable(visit: Visit, tokens: readonly TokenView[]): Html {
  const { users: text } = visit.text;
  return html`<table class="rows">
    <thead>
      <tr>
        <th>${text.name}</th>
        <th>${text.role}</th>
        <th>${text.companies}</th>
        <th>${text.created}</th>
        <th>${text.lastUsed}</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${tokens.map(
        (token) =>
          html`<tr>
            <td class="at-a">${token.name}</td>
            <td class="at-b">${text.roles[token.role]}</td>
            <td class="at-d" data-label="${text.companies}">
              ${token.companies === null ? text.allCompanies : token.companies.join(', ')}
            </td>
            <td class="at-d" data-label="${text.created}">${ago(visit, token.createdAt)}</td>
            <td class="at-d" data-label="${text.lastUsed}">
              ${ago(visit, token.lastUsedAt, visit.text.overview.never)}
            </td>
            <td class="at-c">
              ${token.revokedAt === null ? act(visit, `/tokens/${token.id}/revoke`, text.revoke) : html`<span class="dim">${text.revoked}</span>`}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function addTokenForm(visit: Visit): Html {
  const { users: text } = visit.text;
  return html`<form method="post" action="/tokens" class="filters">
    ${csrfField(visit)}
    <label>${text.name}<input name="name" required maxlength="60" autocomplete="off" /></label>
    <label>${text.role}${roleSelect(visit, 'viewer')}</label>
    <label>${text.companies}${companiesInput(visit, '')}</label>
    <button type="submit">${text.makeToken}</button>
  </form>`;
}

export function accountContent(visit: Visit, told: Told, factor: FactorPart): Html {
  const { users: text, nav } = visit.text;
  const role = visit.user?.role ?? 'viewer';
  return html`<h1>${nav.account}</h1>
    ${told.problem !== null && note('error', told.problem)} ${told.done !== null && note('ok', told.done)}
    <p>${visit.user?.login ?? ''} · ${text.roles[role]} <span class="dim">${text.rolesWhat[role]}</span></p>
    ${visit.user?.reach && html`<p>${text.companies}: ${companies(visit, visit.user.reach)}</p>`}
    ${!factor.external && passwordPart(visit)} ${secondFactorPart(visit, factor)}
    <section>${act(visit, '/account/sign-out', text.signOutEverywhere)}</section>`;
}

function passwordPart(visit: Visit): Html {
  const { users: text } = visit.text;
  return html`<section>
    <h2>${text.changePassword}</h2>
    <form method="post" action="/account/password" class="narrow">
      ${csrfField(visit)}
      <label class="field"
        >${text.currentPassword}<input
          name="current"
          type="password"
          autocomplete="current-password"
          required
          maxlength="200"
      /></label>
      <label class="field"
        >${text.newPassword}<input
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minlength="12"
          maxlength="200"
        /><small>${visit.text.setUp.passwordHelp}</small></label
      >
      <button type="submit">${text.changePassword}</button>
    </form>
  </section>`;
}

// What concerns who may come in, on the page of people and tokens.

function securityPart(visit: Visit, rows: readonly SecurityRow[]): Html {
  const { users: text, nav } = visit.text;
  return html`<section id="security">
    <h2>${text.lately}</h2>
    <table class="rows">
      <tbody>
        ${rows.map(({ at, news }) => {
          const { title, details } = securityText(visit.language, news);
          return html`<tr>
            <td class="at-b nowrap">${ago(visit, at.toISOString())}</td>
            <td class="at-a">${title}</td>
            <td class="at-c">${details}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p><a href="/audit">${nav.audit}</a></p>
  </section>`;
}
