// One message to one channel. Never throws: what became of it is the answer. The id stays the same with every try, so that a
// receiver who got it twice can tell (`webhook-id`, `Message-ID`).
import { isSecretReference } from '../domain/secret-reference.js';
import { createHttpClient } from '../http/http-client.js';
import { signWebhook } from '../http/webhook-signature.js';
import { cleanLine } from '../telemetry/log.js';
import {
  type Channel,
  type Destination,
  type Reveal,
  type Content,
  itemText,
  type NewsItem,
} from './channel.js';
import type { Language } from '../language/say.js';
import { anchorLine } from '../domain/audit-head.js';

export interface Sent {
  readonly delivered: boolean;
  /** What the receiver said, or why nothing reached it; for people. */
  readonly answer: string;
}

export interface Envelope {
  readonly id: string;
  readonly at: Date;
  readonly content: Content;
}

const DEADLINE_MS = 10_000;
const ANSWER_CHARS_MAX = 300;

export async function send(channel: Channel, envelope: Envelope, userAgent: string): Promise<Sent> {
  try {
    const { destination } = channel;
    switch (destination.type) {
      case 'webhook':
        return await sendWebhook(channel, destination, envelope, userAgent);
      case 'slack': {
        const { subject, lines } = compose(channel.language, envelope.content);
        const text = [`*${forSlack(subject)}*`, ...lines.map(forSlack)].join('\n').trim();
        const body = JSON.stringify({ text });
        return await post(revealed(destination.url, channel.reveal), {}, body, userAgent);
      }
      case 'email':
        return await sendMail(destination, envelope, compose(channel.language, envelope.content));
    }
  } catch (error) {
    return { delivered: false, answer: clipped(error instanceof Error ? error.message : String(error)) };
  }
}

/** Slack's three control characters: a name of a customer mentions nobody (`<!channel>`) and shows no link under another name. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** By Standard Webhooks 1.0: id, time and body are signed together. */
async function sendWebhook(
  { language, reveal }: Channel,
  { url, signingSecret }: Extract<Destination, { type: 'webhook' }>,
  { id, at, content }: Envelope,
  userAgent: string,
): Promise<Sent> {
  const body = JSON.stringify({
    type: `ledgerbridge.${content.kind}`,
    timestamp: at.toISOString(),
    data: { ...compose(language, content), ...dataOf(language, content) },
  });
  const clean = cleanLine(body);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (signingSecret !== null) {
    const signed = { id, timestamp, body: clean };
    headers['webhook-signature'] = signWebhook(reveal(signingSecret), signed);
  }
  return post(revealed(url, reveal), headers, clean, userAgent);
}

function dataOf(language: Channel['language'], content: Content): Record<string, unknown> {
  switch (content.kind) {
    case 'test':
      return {};
    case 'anchor':
      return { heads: content.heads };
    case 'news':
      return { items: content.items.map((item) => itemOf(language, item)) };
    case 'digest':
      return { tenants: content.tenants, items: content.items.map((item) => itemOf(language, item)) };
  }
}

const EVENTS = { opened: 'incident.opened', ended: 'incident.resolved', happened: 'security' } as const;

function itemOf(language: Channel['language'], item: NewsItem): Record<string, unknown> {
  const { what, incidentId, code, tenant, title: company, severity, count, at, params } = item;
  const event = EVENTS[what];
  return {
    event,
    incidentId,
    code,
    tenant,
    company,
    severity,
    count,
    at,
    params,
    ...itemText(language, item),
  };
}

async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  userAgent: string,
): Promise<Sent> {
  const client = createHttpClient({ origins: [url.origin], userAgent, connections: 1 });
  try {
    const answer = await client.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: cleanLine(body),
      deadlineMs: DEADLINE_MS,
      bodyBytesMax: 64 * 1024,
    });
    if (answer.outcome === 'failure') return { delivered: false, answer: clipped(answer.message) };
    return { delivered: answer.status >= 200 && answer.status < 300, answer: `HTTP ${answer.status}` };
  } finally {
    await client.close();
  }
}

function revealed(url: string, reveal: Reveal): URL {
  return new URL(isSecretReference(url) ? reveal(url).reveal() : url);
}

async function sendMail(
  { to, smtp }: Extract<Destination, { type: 'email' }>,
  { id, at }: Envelope,
  { subject, lines }: Composed,
): Promise<Sent> {
  if (smtp === null) return { delivered: false, answer: 'notifications.yaml names no mail server (smtp).' };
  const timeouts = {
    ...{ connectionTimeout: DEADLINE_MS, greetingTimeout: DEADLINE_MS, socketTimeout: DEADLINE_MS },
    dnsTimeout: DEADLINE_MS,
  };
  // Loaded by the first who wants mail: a bridge that tells people otherwise needs none of it.
  const { createTransport } = await import('nodemailer');
  const url = smtp.reveal(smtp.url).reveal();
  const transport = createTransport({ url, requireTLS: leavesTheMachine(url), ...timeouts });
  try {
    const { response } = await transport.sendMail({
      from: smtp.from,
      to: [...to],
      subject: cleanLine(`[ledgerbridge] ${subject}`),
      text: cleanLine(lines.join('\n')),
      messageId: `<${id}@ledgerbridge>`,
      date: at,
      // Nobody answers a machine that is away as well.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { delivered: true, answer: clipped(response) };
  } finally {
    transport.close();
  }
}

/** Then the mail goes encrypted or not at all, unless the address itself says `?requireTLS=false`. */
export function leavesTheMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** An answer may repeat an address that carries a token. */
function clipped(text: string): string {
  return cleanLine(text).slice(0, ANSWER_CHARS_MAX);
}

// From values to a message that a person can act on: what happened, to which company, how many documents, and the next step.
interface Composed {
  /** One line. */
  readonly subject: string;
  readonly lines: readonly string[];
}

/** More than this nobody reads in one message. */
const ITEMS_MAX = 20;

function compose(language: Language, content: Content): Composed {
  const words = NOTIFICATION_WORDS[language];
  switch (content.kind) {
    case 'test':
      return { subject: words.test, lines: [words.testMore(content.channel)] };
    case 'anchor':
      return { subject: words.anchor, lines: [words.anchorMore, '', ...content.heads.map(anchorLine)] };
    case 'news':
      return { subject: newsSubject(language, content.items), lines: itemLines(language, content.items) };
    case 'digest': {
      const needsYou = content.tenants.reduce((sum, one) => sum + one.needsYou, 0);
      const figures = content.tenants.map(
        ({ title, postedToday, waiting, needsYou: needs }) =>
          `${title}: ${words.figures(postedToday, waiting, needs)}`,
      );
      const open =
        content.items.length === 0
          ? [words.nothingOpen]
          : [words.stillOpen, ...itemLines(language, content.items)];
      return { subject: words.digest(needsYou), lines: [...figures, '', ...open] };
    }
  }
}

function newsSubject(language: Language, items: readonly NewsItem[]): string {
  const words = NOTIFICATION_WORDS[language];
  const [only] = items;
  if (items.length === 1 && only) return titleOf(language, only);
  const opened = items.filter(({ what }) => what === 'opened').length;
  const ended = items.filter(({ what }) => what === 'ended').length;
  const happened = items.length - opened - ended;
  return [
    ...(opened > 0 ? [words.opened(opened)] : []),
    ...(ended > 0 ? [words.ended(ended)] : []),
    ...(happened > 0 ? [words.happened(happened)] : []),
  ].join(', ');
}

function titleOf(language: Language, item: NewsItem): string {
  const { title } = itemText(language, item);
  return item.what === 'ended' ? NOTIFICATION_WORDS[language].isOver(title) : title;
}

function itemLines(language: Language, items: readonly NewsItem[]): string[] {
  const words = NOTIFICATION_WORDS[language];
  const shown = items.slice(0, ITEMS_MAX).flatMap((item) => {
    if (item.what === 'ended') return [titleOf(language, item)];
    const { details, nextStep } = itemText(language, item);
    return [
      titleOf(language, item),
      ...(details === '' ? [] : [details]),
      `${words.nextStep}: ${nextStep}`,
      '',
    ];
  });
  return items.length > ITEMS_MAX ? [...shown, words.more(items.length - ITEMS_MAX)] : shown;
}

// The words around news: subjects, headings, the daily summary. What happened itself is said by the conditions.

interface NotificationWords {
  readonly opened: (count: number) => string;
  readonly ended: (count: number) => string;
  readonly happened: (count: number) => string;
  readonly isOver: (title: string) => string;
  readonly nextStep: string;
  readonly more: (count: number) => string;
  readonly digest: (needsYou: number) => string;
  readonly figures: (posted: number, waiting: number, needsYou: number) => string;
  readonly stillOpen: string;
  readonly nothingOpen: string;
  readonly anchor: string;
  readonly anchorMore: string;
  readonly test: string;
  readonly testMore: (channel: string) => string;
}

const isOne = (count: number) => count % 10 === 1 && count % 100 !== 11;

const NOTIFICATION_WORDS: Readonly<Record<Language, NotificationWords>> = {
  en: {
    opened: (count) => (count === 1 ? '1 thing needs a look' : `${count} things need a look`),
    ended: (count) => (count === 1 ? '1 is over' : `${count} are over`),
    happened: (count) =>
      count === 1 ? '1 change of accounts or tokens' : `${count} changes of accounts or tokens`,
    isOver: (title) => `Over: ${title}`,
    nextStep: 'Next step',
    more: (count) => `… and ${count} more on the dashboard.`,
    digest: (needsYou) =>
      needsYou === 0
        ? 'Daily summary: nothing needs you'
        : needsYou === 1
          ? 'Daily summary: 1 document needs you'
          : `Daily summary: ${needsYou} documents need you`,
    figures: (posted, waiting, needsYou) =>
      `${posted} posted today, ${waiting} waiting, ${needsYou} need a person`,
    stillOpen: 'Still open:',
    nothingOpen: 'No incident is open.',
    anchor: 'The audit as it is today',
    anchorMore:
      'Keep this message where nobody who can change the database can change it. To check the audit against it: ledgerbridge db verify --anchor FILE',
    test: 'A test message',
    testMore: (channel) => `Messages to ${channel} arrive. Nothing happened.`,
  },
  is: {
    opened: (count) => `${count} ${isOne(count) ? 'atriði' : 'atriði'} sem þarf að líta á`,
    ended: (count) => (isOne(count) ? `${count} er liðið hjá` : `${count} eru liðin hjá`),
    happened: (count) => `${count} ${isOne(count) ? 'breyting' : 'breytingar'} á aðgangi eða lyklum`,
    isOver: (title) => `Liðið hjá: ${title}`,
    nextStep: 'Næsta skref',
    more: (count) => `… og ${count} í viðbót á stjórnborðinu.`,
    digest: (needsYou) =>
      needsYou === 0
        ? 'Dagsyfirlit: ekkert bíður þín'
        : `Dagsyfirlit: ${needsYou} ${isOne(needsYou) ? 'skjal bíður' : 'skjöl bíða'} þín`,
    figures: (posted, waiting, needsYou) =>
      `${posted} bókuð í dag, ${waiting} í bið, ${needsYou} þurfa manneskju`,
    stillOpen: 'Enn opið:',
    nothingOpen: 'Ekkert atvik er opið.',
    anchor: 'Staða ferilskrárinnar í dag',
    anchorMore:
      'Geymið þessi skilaboð þar sem enginn sem getur breytt gagnagrunninum getur breytt þeim. Svona er ferilskráin borin saman við þau: ledgerbridge db verify --anchor SKRÁ',
    test: 'Prufuskilaboð',
    testMore: (channel) => `Skilaboð til ${channel} berast. Ekkert gerðist.`,
  },
};
