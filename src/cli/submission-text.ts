// One record of an origin in words: for `outgoing show`, and for `explain` where no document is meant.
import type { SubmissionStory } from '../operations/views/outgoing.js';
import { moment } from './format.js';

export function submissionText(story: SubmissionStory, withAudit = false): string {
  const { kind, reference, tenantName, origin, place, state, since, mark, guid, number, paymentLink } = story;
  return [
    `${kind} ${reference} of ${tenantName}: ${state} since ${moment(since)}`,
    `from ${origin || 'an invoice that needs it'}, ${place}; mark ${mark}; id ${story.id}`,
    ...(guid === null ? [] : [`at the service: ${guid}${number === null ? '' : `, number ${number}`}`]),
    ...(paymentLink === null ? [] : [`payment link: ${paymentLink}`]),
    story.sentence,
    ...story.conflicts.map(
      ({ field, origin: ours, service }) => `${field}: ${ours} at the origin, ${service} at the service`,
    ),
    ...story.files.map(({ name, bytes }) => `with the file ${name} (${bytes} bytes)`),
    ...story.generated.map((invoice) => `made invoice ${invoice.number || invoice.guid}`),
    ...story.attempts.map((attempt) =>
      `request ${String(attempt.number)} on ${moment(attempt.startedAt)}: ${attempt.outcome ?? 'not known'} ${attempt.message ?? ''}`.trimEnd(),
    ),
    ...(story.attempts.length === 0
      ? []
      : [`sent ${String(story.sends)} times; searched for: ${story.lookUp}`]),
    ...(story.canDo.length === 0
      ? []
      : ['You can:', ...story.canDo.map(({ what, command }) => `  ${what}\n    ${command}`)]),
    ...(withAudit ? ['Audit, newest first', ...story.history.map(auditLine)] : []),
  ].join('\n');
}

function auditLine({ at, actor, action, reason }: SubmissionStory['history'][number]): string {
  return `  ${moment(at)}  ${actor}  ${action}${reason === null || reason === '' ? '' : `: ${reason}`}`;
}
