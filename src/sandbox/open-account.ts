// Turns what somebody asked for into an account's opening records.
import { addDays } from './clock.js';
import type { AccountData } from './model.js';
import type { AccountOptions } from './options.js';
import { plainAccount } from './seam-world.js';
import type { SandboxState } from './state.js';

const DOCUMENTS_DEFAULT = 40;
const DAYS_BACK = 90;

export function openAccount(state: SandboxState, options: AccountOptions): AccountData {
  const ordinal = state.accounts.size + 1;
  const today = state.clock.today();
  const data =
    options.data ??
    plainAccount({
      seed: options.seed ?? `${state.seed}:account:${ordinal}`,
      name: options.name ?? `Sýnisfyrirtæki ${ordinal} ehf.`,
      invoices: options.invoices ?? DOCUMENTS_DEFAULT,
      costs: options.costs ?? DOCUMENTS_DEFAULT,
      from: options.from ?? addDays(today, -DAYS_BACK),
      to: options.to ?? today,
    });
  const { profile } = data;
  return {
    ...data,
    profile: {
      ...profile,
      username: options.username ?? (options.data === undefined ? `account${ordinal}` : profile.username),
      api_key: options.apiKey ?? profile.api_key,
      password: options.password ?? profile.password,
      name: options.name ?? profile.name,
      registration_no: options.registrationNo ?? profile.registration_no,
      cost_ai: options.costAi ?? profile.cost_ai,
      scopes: options.scopes ?? profile.scopes,
    },
  };
}
