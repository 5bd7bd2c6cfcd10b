// What needs a person, one row a cause: what it is, what to do, and the act that fits all of its documents.
import type { Problem } from '../../operations/views/problem.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { age, chip, empty, link, titleOf } from './parts.js';

export function problemsContent(visit: Visit, problems: readonly Problem[]): Html {
  const { text } = visit;
  const isUrgent = ({ needsPerson, severity }: Problem) => needsPerson || severity === 'critical';
  const mine = problems.filter(isUrgent);
  const others = problems.filter((problem) => !isUrgent(problem));
  if (problems.length === 0)
    return html`<h1>${text.problems.title}</h1>
      ${empty(text.problems.emptyTitle, text.problems.empty)}`;
  return html`<h1>${text.problems.title}</h1>
    ${mine.length > 0 && causeList(visit, mine)}
    ${
      others.length > 0 &&
      html`<section>
        <h2>${text.problems.curesItself}</h2>
        ${causeList(visit, others)}
      </section>`
    }`;
}

function causeList(visit: Visit, problems: readonly Problem[]): Html {
  return html`<ul class="causes">
    ${problems.map((problem) => causeRow(visit, problem))}
  </ul>`;
}

function causeRow(visit: Visit, problem: Problem): Html {
  const { text } = visit;
  // What waits for a connection rests for no reason, so its tenant is the way to it.
  const isConnection = problem.code.startsWith('CONNECTION_') || problem.code === 'QUEUES_AWAY';
  const tenant = problem.tenants[0]?.name ?? null;
  const documents =
    problem.incidentId !== null
      ? link(visit, '/incidents')
      : problem.direction === 'out'
        ? link(visit, '/outgoing', { tenant })
        : link(visit, '/documents', isConnection ? { tenant } : { cause: problem.id });
  const replay = link(visit, '/replay', { cause: problem.id });
  const tenants = problem.tenants.map(({ name, count: documentsOf }) =>
    problem.tenants.length === 1 ? titleOf(visit, name) : `${titleOf(visit, name)} ${count(documentsOf)}`,
  );
  return html`<li class="cause" data-href="${documents}">
    <div>
      <h3>
        ${chip(lookOf(problem), problem.sentence)}
        <span class="code-name">${problem.code}${problem.subject !== '' && ` · ${problem.subject}`}</span>
      </h3>
      <p>${problem.whatToDo}</p>
      <p class="facts">
        <a href="${documents}">${countOf(visit, problem)}</a>
        <span>${tenants.join(', ')}</span>
        <span>${text.problems.since} ${age(visit, problem.firstSeenAt)}</span>
      </p>
    </div>
    <div class="acts">
      ${
        problem.action === 'replay' &&
        mayDo(visit.user, 'operator') &&
        html`<a class="button" href="${replay}" data-key-r>${text.problems.previewReplay}</a>`
      }
    </div>
  </li>`;
}

function countOf({ text: { problems } }: Visit, { incidentId, direction, count: found }: Problem): string {
  if (incidentId !== null) return problems.incidents(found);
  return direction === 'out' ? problems.records(found) : problems.documents(found);
}

function lookOf({ needsPerson, states, severity }: Problem) {
  if (severity === 'critical') return 'failed';
  if (states.length > 0 && states.every((state) => state === 'rejected')) return 'failed';
  return needsPerson ? 'needs-you' : 'waiting';
}
