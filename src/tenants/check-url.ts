// What an address in a tenant file must be. Messages never repeat the address where it could carry a password.
import type { z } from 'zod';
import type { Message } from '../domain/message.js';
import { isRefusedHost } from '../http/allowed-addresses.js';
import { message } from '../language/messages.js';
import { saidIssue } from './problem-words.js';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

type Refinement = (value: string, context: z.RefinementCtx<string>) => void;
type UrlProblem = readonly [what: Message, remedy: Message];

export const checkBaseUrl: Refinement = refinement((url) => {
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    return [message('ADDRESS_IN_THE_CLEAR'), message('USE_HTTPS', { host: url.host })];
  if (url.search !== '') return [message('ADDRESS_WITH_QUERY'), message('END_ADDRESS_BEFORE', { sign: '?' })];
  if (/\/api(\/v1)?\/?$/.test(url.pathname)) {
    const address = `${url.origin}${url.pathname.replace(/\/api(\/v1)?\/?$/, '')}`;
    return [message('ADDRESS_WITH_API'), message('WRITE_ADDRESS_AS', { address })];
  }
  return null;
});

export const checkHttpsUrl: Refinement = refinement((url) =>
  url.protocol === 'http:' && !LOOPBACK.test(url.hostname)
    ? [message('ADDRESS_NOT_HTTPS'), message('WRITE_HTTPS', { host: url.host })]
    : null,
);

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

function refinement(special: (url: URL) => UrlProblem | null): Refinement {
  return (value, context) => {
    const problem = URL.canParse(value) ? (common(new URL(value)) ?? special(new URL(value))) : NOT_A_URL;
    if (problem) context.addIssue(saidIssue(...problem));
  };
}

const NOT_A_URL: UrlProblem = [message('NO_ADDRESS'), message('WRITE_ADDRESS')];

function common(url: URL): UrlProblem | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NOT_A_URL;
  if (url.username !== '' || url.password !== '')
    return [message('ADDRESS_WITH_PASSWORD'), message('TAKE_PASSWORD_OUT')];
  if (isRefusedHost(url.hostname)) return [message('ADDRESS_REFUSED'), message('WRITE_PUBLIC_ADDRESS')];
  if (url.hash !== '')
    return [message('ADDRESS_WITH_FRAGMENT'), message('END_ADDRESS_BEFORE', { sign: '#' })];
  return null;
}
