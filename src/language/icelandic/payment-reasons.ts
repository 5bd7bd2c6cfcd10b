import { written } from './amounts.js';
import type { PAYMENT_REASONS as english } from '../english/payment-reasons.js';
import type { TranslatedReasons } from '../table.js';

export const PAYMENT_REASONS = {
  NOTHING_TO_SETTLE: {
    says: 'Reikningurinn sýnir enga greiðslu sem ekki er þegar bókuð.',
    cure: 'Ekkert: hún var tekin til baka eða bókuð á annan hátt áður en brúin kom að henni.',
  },
  NOTHING_TO_RELEASE: {
    says: 'Ekkert úr skjalinu bíður þessa dags.',
    cure: 'Ekkert: færsla þess var bakfærð eða bókuð að nýju áður en brúin kom að henni.',
  },
  PAYMENT_AMOUNTS_MISMATCH: {
    says: 'Upphæðir kröfunnar stemma ekki, svo greiðslan er ekki bókuð.',
    detail: ({ owed, deposited }) =>
      `Hún ætti að skila ${written(owed)} kr., bank_transaction_amount er ${written(deposited)}.`,
    cure: 'Leiðréttu kröfuna í reikningaþjónustunni; litið er á hana daglega. Eða bókaðu greiðsluna í höndunum og slepptu þessari.',
  },
} satisfies TranslatedReasons<typeof english>;
