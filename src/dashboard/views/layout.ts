// The frame around every page: navigation, the tenant, search, and whether what you see is still true.
import { outgoingNeedsYou } from '../live/events.js';
import { timeZoneInUse } from '../../domain/local-time.js';
import { html, type Html, json, type Part } from '../html.js';
import { count, exactMoment } from '../language/format.js';
import { LANGUAGES, MESSAGES } from '../language/messages.js';
import { THEMES } from '../access/cookies.js';
import type { Visit } from '../visit.js';
import { mayDo } from '../visit.js';
import { csrfField, link } from './parts.js';

export interface PageFrame {
  readonly title: string;
  /** Of the navigation; null: none of them. */
  readonly here: keyof Visit['text']['nav'] | null;
  readonly content: Part;
  readonly charts?: boolean;
  /** Reloading shows something new when the numbers changed. */
  readonly watches?: boolean;
}

const HTMX_CONFIG = json({
  allowEval: false,
  allowScriptTags: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..', swap: true },
    { code: '[45]..', swap: true, error: true },
  ],
});

export function document(
  visit: Visit,
  assets: string,
  frame: { title: string; charts?: boolean },
  body: Html,
): Html {
  const { language, theme, text } = visit;
  return html`<!doctype html>
    <html lang="${language}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${frame.title} · ledgerbridge</title>
        <meta name="htmx-config" content="${HTMX_CONFIG}" />
        <meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}" />
        <link rel="icon" type="image/svg+xml" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/dashboard.css?v=${assets}" />
        <link rel="stylesheet" href="/assets/pages.css?v=${assets}" />
        ${frame.charts === true && html`<link rel="stylesheet" href="/assets/uplot.css?v=${assets}" />`}
        <script defer src="/assets/htmx.js?v=${assets}"></script>
        ${frame.charts === true && html`<script defer src="/assets/uplot.js?v=${assets}"></script>`}
        <script defer src="/assets/dashboard.js?v=${assets}"></script>
      </head>
      <body
        data-zone="${timeZoneInUse()}"
        data-units="${json(text.units)}"
        data-words="${json({ live: text.frame.live, connecting: text.frame.connecting, notLive: text.frame.notLive, signedOut: text.frame.signedOut })}"
        ${visit.user ? html`hx-headers="${json({ 'x-csrf-token': visit.csrf })}"` : null}
      >
        ${body}
      </body>
    </html>`;
}

export function page(visit: Visit, assets: string, frame: PageFrame): Html {
  const { text } = visit;
  const body = html`<a class="skip" href="#content">${text.nav.skipLink}</a>
    <div class="frame">
      ${side(visit, frame.here)}
      <div class="stage">
        ${topBar(visit)}
        <main id="content" tabindex="-1" ${frame.watches === true && html`data-watches`}>
          <div class="stale-note" id="stale" hidden>
            ${text.frame.notLiveLong} <span data-seen-at>${exactMoment(visit.now.toISOString())}</span>
          </div>
          <div class="changed-note" id="changed" hidden>
            ${text.frame.changed} <a href="${visit.url}">${text.frame.show}</a>
          </div>
          <div id="flash" role="status" aria-live="polite"></div>
          ${frame.content}
        </main>
        <footer class="page-foot dim">
          ${text.frame.times(timeZoneInUse())} <a href="/assets/simulator.html">${text.frame.simulator}</a>
        </footer>
      </div>
      ${bottomBar(visit, frame.here)}
    </div>
    <dialog id="dialog" aria-label="${text.frame.details}"></dialog>
    ${keysDialog(visit)}`;
  return document(visit, assets, frame, body);
}

type Place = keyof Visit['text']['nav'];
const PLACES: readonly (readonly [Place, string])[] = [
  ['overview', '/'],
  ['problems', '/problems'],
  ['documents', '/documents'],
  ['inbox', '/inbox'],
  ['incidents', '/incidents'],
  ['plan', '/plan'],
  ['approvals', '/approvals'],
  ['reconciliation', '/reconciliation'],
  ['vat', '/vat'],
  ['certificates', '/certificates'],
  ['outgoing', '/outgoing'],
  ['reports', '/reports'],
  ['tenants', '/tenants'],
  ['schedules', '/schedules'],
  ['queues', '/queues'],
  ['audit', '/audit'],
  ['users', '/users'],
];
const IN_BOTTOM_BAR: readonly Place[] = ['overview', 'problems', 'documents', 'inbox'];
const NEEDS_ROLE: Partial<Record<Place, 'operator' | 'admin'>> = { queues: 'operator', users: 'admin' };

function badge(visit: Visit, place: Place): Html | null {
  const totals = visit.overview?.totals;
  const numbers: Partial<Record<Place, number>> = {
    problems: totals?.causes ?? 0,
    incidents: totals?.openIncidents ?? 0,
    outgoing: outgoingNeedsYou(visit.overview),
  };
  const value = numbers[place];
  if (value === undefined) return null;
  const keys: Partial<Record<Place, string>> = { problems: 'totals.causes', outgoing: 'totals.outgoing' };
  const key = keys[place] ?? 'totals.openIncidents';
  return html`<span class="badge num ${value === 0 && 'zero'}" data-live="${key}">${count(value)}</span>`;
}

function placeLink(visit: Visit, here: Place | null, [place, path]: readonly [Place, string]): Html | null {
  const role = NEEDS_ROLE[place];
  // Both concern all companies at once.
  if (role && (!mayDo(visit.user, role) || visit.user?.reach !== null)) return null;
  const current = place === here ? html`aria-current="page"` : null;
  return html`<a href="${link(visit, path)}" ${current}
    ><span>${visit.text.nav[place]}</span>${badge(visit, place)}</a
  >`;
}

function side(visit: Visit, here: Place | null): Html {
  const { nav } = visit.text;
  return html`<aside class="side" id="menu">
    <a class="brand" href="${link(visit, '/')}"
      ><img src="/assets/icon.svg" alt="" width="20" height="20" /> ledgerbridge</a
    >
    <nav aria-label="${nav.main}">${PLACES.map((place) => placeLink(visit, here, place))}</nav>
    <div class="side-end">
      <a href="/account" ${here === 'account' && html`aria-current="page"`}
        ><span>${visit.user?.login ?? ''}</span></a
      >
      ${preferences(visit)}
      <form method="post" action="/logout">
        ${csrfField(visit)}<button class="plain" type="submit">${visit.text.frame.signOut}</button>
      </form>
    </div>
  </aside>`;
}

export function preferences(visit: Visit): Html {
  const { theme, themes } = visit.text.frame;
  const next = THEMES[(THEMES.indexOf(visit.theme) + 1) % THEMES.length] ?? 'auto';
  const other = LANGUAGES.find((language) => language !== visit.language) ?? 'en';
  return html`<form method="post" action="/preferences" class="preferences">
    ${csrfField(visit)}<input type="hidden" name="back" value="${visit.url}" />
    <button class="plain" name="theme" value="${next}" title="${theme}: ${themes[visit.theme]}">
      <span aria-hidden="true">◑</span> ${themes[visit.theme]}
    </button>
    <button class="plain" name="language" value="${other}" lang="${other}">
      ${MESSAGES[other].language}
    </button>
  </form>`;
}

function topBar(visit: Visit): Html {
  const { frame } = visit.text;
  const tenants = visit.overview?.tenants ?? [];
  const byTitle = [...tenants].sort((a, b) => a.title.localeCompare(b.title, 'is'));
  const [path = '/', query = ''] = visit.url.split('?');
  const sought = path === '/documents' ? (new URLSearchParams(query).get('text') ?? '') : '';
  return html`<header class="top">
    <form method="get" action="${path}" class="choose-tenant">
      <label class="hidden" for="tenant">${frame.tenant}</label>
      <select id="tenant" name="tenant" data-submit>
        <option value="">${frame.allTenants}</option>
        ${byTitle.map(
          ({ name, title }) =>
            html`<option value="${name}" ${name === visit.tenant && html`selected`}>${title}</option>`,
        )}
      </select>
    </form>
    <form method="get" action="/documents" role="search" class="search">
      ${visit.tenant !== null && html`<input type="hidden" name="tenant" value="${visit.tenant}" />`}
      <input
        type="search"
        name="text"
        id="search"
        value="${sought}"
        maxlength="100"
        placeholder="${frame.search}"
        aria-label="${frame.searchLabel}"
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
    <span class="live" id="live" data-state="connecting" role="status"
      ><span class="dot" aria-hidden="true"></span><span class="live-word">${frame.connecting}</span></span
    >
  </header>`;
}

function bottomBar(visit: Visit, here: Place | null): Html {
  const shown = PLACES.filter(([place]) => IN_BOTTOM_BAR.includes(place));
  const elsewhere = here !== null && !IN_BOTTOM_BAR.includes(here);
  return html`<nav class="bottom" aria-label="${visit.text.nav.main}">
    ${shown.map((place) => placeLink(visit, here, place))}
    <button
      type="button"
      class="plain"
      data-menu
      aria-controls="menu"
      aria-expanded="false"
      ${elsewhere && html`data-here`}
    >
      ${visit.text.nav.more}
    </button>
  </nav>`;
}

function keysDialog(visit: Visit): Html {
  const { frame, keys } = visit.text;
  return html`<dialog id="keys" aria-label="${frame.keys}">
    <h2>${frame.keys}</h2>
    <dl class="keys">
      ${keys.map(
        ([key, what]) =>
          html`<div>
            <dt><kbd>${key}</kbd></dt>
            <dd>${what}</dd>
          </div>`,
      )}
    </dl>
    <form method="dialog"><button>${frame.close}</button></form>
  </dialog>`;
}
