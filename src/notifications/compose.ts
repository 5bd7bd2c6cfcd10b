// From values to a message that a person can act on: what happened, to which company, how many documents, and the next step.
import { NOTIFICATION_WORDS } from '../language/notifications.js';
import type { Language } from '../language/say.js';
import { anchorLine } from '../domain/audit-head.js';
import { type Content, itemText, type NewsItem } from './news.js';

export interface Composed {
  /** One line. */
  readonly subject: string;
  readonly lines: readonly string[];
}

/** More than this nobody reads in one message. */
const ITEMS_MAX = 20;

export function compose(language: Language, content: Content): Composed {
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
