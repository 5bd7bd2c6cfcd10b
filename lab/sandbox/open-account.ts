// Turns what somebody asked for into an account's opening records.
import { addDays } from './clock.js';
import type { AccountData, AccountProfile } from './model.js';
import type { AccountOptions } from './options.js';
import type { SandboxState } from './state.js';
import { generateAccount } from './world/generate-account.js';

const DOCUMENTS_DEFAULT = 60;
const DAYS_BACK = 90;

export function openAccount(state: SandboxState, options: AccountOptions): AccountData {
  const data = options.data ?? generate(state, options);
  const username = options.username ?? freeUsername(state, data.profile);
  if (state.accounts.has(username)) throw new RangeError(`An account is already called ${username}`);
  const { profile } = data;
  return {
    ...data,
    profile: {
      ...profile,
      username,
      api_key: options.apiKey ?? profile.api_key,
      password: options.password ?? profile.password,
      name: options.name ?? profile.name,
      registration_no: options.registrationNo ?? profile.registration_no,
      cost_ai: options.costAi ?? profile.cost_ai,
      scopes: options.scopes ?? profile.scopes,
      ...options.profile,
    },
  };
}

function generate(state: SandboxState, options: AccountOptions): AccountData {
  const today = state.clock.today();
  return generateAccount({
    seed: options.seed ?? `${state.seed}:account:${state.accounts.size + 1}`,
    invoices: options.invoices ?? DOCUMENTS_DEFAULT,
    costs: options.costs ?? DOCUMENTS_DEFAULT,
    from: options.from ?? addDays(options.to ?? today, -DAYS_BACK),
    to: options.to ?? today,
    now: state.clock.timestamp(),
    ...(options.name === undefined ? {} : { companyName: options.name }),
    ...(options.trade === undefined ? {} : { trade: options.trade }),
    ...(options.difficulty === undefined ? {} : { difficulty: options.difficulty }),
    ...(options.customers === undefined ? {} : { customers: options.customers }),
    ...(options.postedBefore === undefined ? {} : { postedBefore: options.postedBefore }),
  });
}

function freeUsername(state: SandboxState, profile: AccountProfile): string {
  if (!state.accounts.has(profile.username)) return profile.username;
  return `${profile.username}-${state.accounts.size + 1}`;
}
