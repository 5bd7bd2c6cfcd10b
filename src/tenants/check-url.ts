// What an address in a tenant file must be. Messages never repeat the address where it could carry a password.
import type { z } from 'zod';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

interface UrlProblem {
  readonly message: string;
  readonly remedy: string;
}

type Refinement = (value: string, context: z.RefinementCtx<string>) => void;

export const checkBaseUrl: Refinement = refinement((url) => {
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return {
      message: 'http would send the credentials in the clear.',
      remedy: `Use https://${url.host}; http is accepted only for localhost, 127.0.0.1 and [::1].`,
    };
  }
  if (url.search !== '') {
    return { message: 'The base URL carries a ?query.', remedy: 'End the address before the ?.' };
  }
  if (/\/api(\/v1)?\/?$/.test(url.pathname)) {
    return {
      message: 'The base URL must not contain /api/v1.',
      remedy: `Write ${url.origin}${url.pathname.replace(/\/api(\/v1)?\/?$/, '')}; the bridge adds the rest.`,
    };
  }
  return null;
});

export const checkHttpsUrl: Refinement = refinement((url) =>
  url.protocol === 'http:' && !LOOPBACK.test(url.hostname)
    ? { message: 'The address must be https.', remedy: `Write https://${url.host}…` }
    : null,
);

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

function refinement(special: (url: URL) => UrlProblem | null): Refinement {
  return (value, context) => {
    const problem = URL.canParse(value) ? (common(new URL(value)) ?? special(new URL(value))) : NOT_A_URL;
    if (problem) {
      context.addIssue({ code: 'custom', message: problem.message, params: { remedy: problem.remedy } });
    }
  };
}

const NOT_A_URL: UrlProblem = {
  message: 'This is not an address.',
  remedy: 'Write it in full, for example https://invoicing.example.',
};

function common(url: URL): UrlProblem | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NOT_A_URL;
  if (url.username !== '' || url.password !== '') {
    return {
      message: 'The address carries a username or password.',
      remedy: 'Remove them from the address; secrets are named by reference (env:NAME or file:path).',
    };
  }
  if (url.hash !== '') {
    return { message: 'The address carries a #fragment.', remedy: 'End the address before the #.' };
  }
  return null;
}
