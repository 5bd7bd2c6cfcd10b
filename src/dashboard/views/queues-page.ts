import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import type { Visit } from '../visit.js';
import { note } from './parts.js';

export interface QueueCounts {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
  readonly completed: number;
}

export function queuesContent(visit: Visit, backend: string, queues: readonly QueueCounts[] | null): Html {
  const { queues: text } = visit.text;
  const columns = ['waiting', 'active', 'failed', 'completed'] as const;
  const store = text.backends[backend] ?? backend;
  if (queues === null)
    return html`<h1>${text.title}</h1>
      ${note('error', text.away(store))}`;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro} ${text.backend} ${store}.</p>
    <table class="rows">
      <thead>
        <tr>
          <th>${text.name}</th>
          ${columns.map((name) => html`<th class="num">${text[name]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${queues.map(
          (queue) =>
            html`<tr data-href="/queues/board/queue/${queue.name}">
              <td class="at-a"><a href="/queues/board/queue/${queue.name}">${queue.name}</a></td>
              ${columns.map((name) => html`<td class="num at-d" data-label="${text[name]}">${count(queue[name])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    <section>
      <div class="bar">
        <h2>${text.board}</h2>
        <a href="/queues/board/">${text.open}</a>
      </div>
      <iframe class="board" src="/queues/board/" title="${text.board}"></iframe>
    </section>`;
}
