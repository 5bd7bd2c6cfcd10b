// One request to the dashboard, as its pages see it: who asks, in which language, looking at which tenant.
import type { FastifyRequest } from 'fastify';
import type { Companies } from '../operations/access/reach.js';
import type { SignedIn } from '../operations/users/user-accounts.js';
import type { UserRole } from '../operations/users/user-records.js';
import type { Overview } from '../operations/views/overview.js';
import { THEMES, type Theme } from './access/cookies.js';
import { type Language, LANGUAGES, type Messages, MESSAGES } from './language/messages.js';

export type Access = 'anyone' | UserRole;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may come here. A route without it is refused to everybody. */
    access?: Access;
    /** Concerns all companies at once: nobody may come who sees only some. */
    everywhere?: boolean;
    /** Open to somebody who has to turn on a second factor first; nothing else is. */
    enrolling?: boolean;
    /** Asks for the password or code again unless it was given a short time ago; then it goes on at this page. */
    proven?: `/${string}`;
  }
  interface FastifyRequest {
    visit: Visit;
  }
}

export interface Visit {
  readonly user: SignedIn | null;
  readonly csrf: string;
  readonly language: Language;
  readonly text: Messages;
  readonly theme: Theme;
  readonly now: Date;
  /** Path and query as asked for. */
  readonly url: string;
  /** Chosen in the frame; null: all of them. */
  readonly tenant: string | null;
  /** Asked for by our script: a part of a page is enough. */
  readonly partial: boolean;
  /** How everything is; for the frame. Absent while nobody is signed in. */
  readonly overview: Overview | null;
}

/** The companies that a page is about; null: all that the person sees. */
export function shown({ tenant }: Visit): Companies {
  return tenant === null ? null : [tenant];
}

const RANK: Readonly<Record<UserRole, number>> = { viewer: 0, operator: 1, admin: 2 };

export function mayDo(user: SignedIn | null, role: UserRole): boolean {
  return user !== null && RANK[user.role] >= RANK[role];
}

/** What somebody may do in one company: their role there, or the one that counts everywhere. */
export function mayDoIn(user: SignedIn | null, company: string, role: UserRole): boolean {
  if (user?.reach === null || user === null) return mayDo(user, role);
  const has = user.reach.get(company);
  return has !== undefined && RANK[has] >= RANK[role];
}

export function languageOf(request: FastifyRequest): Language {
  const chosen = LANGUAGES.find((language) => language === request.cookies['language']);
  if (chosen) return chosen;
  return /^is\b/i.test(request.headers['accept-language'] ?? '') ? 'is' : 'en';
}

export function makeVisit(
  request: FastifyRequest,
  who: Pick<Visit, 'user' | 'csrf' | 'overview' | 'now'>,
): Visit {
  const language = languageOf(request);
  const query = request.query as { tenant?: unknown };
  return {
    ...who,
    language,
    text: MESSAGES[language],
    theme: THEMES.find((theme) => theme === request.cookies['theme']) ?? 'auto',
    url: request.url,
    tenant: typeof query.tenant === 'string' && query.tenant !== '' ? query.tenant.slice(0, 40) : null,
    partial: request.headers['hx-request'] === 'true',
  };
}
