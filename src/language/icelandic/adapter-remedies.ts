// Hvað gera skal við það sem fannst þegar tenging var prófuð.
import type { ADAPTER_REMEDIES as english } from '../english/adapter-remedies.js';
import type { Translated } from '../table.js';
import { within } from './systems.js';

export const ADAPTER_REMEDIES = {
  CORRECT_IN_ERP: ({ system }) => `Leiðréttu það í ${within(system)}, eða reglur félagsins.`,
  CREATE_IN_ERP: ({ system }) =>
    `Stofnaðu það eða opnaðu í ${within(system)}, eða leiðréttu reglur félagsins.`,
  CORRECT_THE_CONNECTION: () => 'Lagaðu tenginguna og prófaðu aftur.',
  CORRECT_THE_TOKEN: () => 'Leiðréttu aðgangslykilinn eða félagið í félagsskránni.',
  CORRECT_ERP_CREDENTIALS: () =>
    'Leiðréttu aðganginn að bókhaldskerfinu í félagsskránni; skjölin bíða og ekkert er merkt.',
  WAIT_FOR_THE_ERP: () => 'Ekkert: skjölin bíða og halda áfram af sjálfsdáðum þegar það svarar.',
  NEW_API_KEY: ({ system }) =>
    `Búðu til nýjan lykil í ${system}, geymdu hann og leiðréttu \`apiKeyExpires\`.`,
  SWITCH_CURRENCY_ON: ({ system }) => `Kveiktu á honum í ${system}, eða láttu reglurnar bóka í krónum.`,
  ENABLE_PAYMENTS: () => 'Hakaðu við „Enable payments to this account“ á honum í bókhaldslyklunum.',
  GIVE_VAT_CODE_AN_ACCOUNT: ({ system }) =>
    `Settu hann á lykil í ${system}, eða leiðréttu kóðana undir rules.vat.`,
} satisfies Translated<typeof english>;
