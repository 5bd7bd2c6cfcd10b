// Companies and their schedules.
import type { TENANTS as Texts } from '../en/tenants.js';
import { count } from '../format.js';

export const TENANTS: typeof Texts = {
  tenants: {
    title: 'Félög',
    configuration: 'Stillingar',
    configurationMore:
      'Eins og skráin segir, með sjálfgildum. Leyndarmál eru sýnd sem staðurinn þar sem þau eru geymd.',
    check: 'Prófa tenginguna',
    notify: 'Senda prufuskilaboð',
    nobodyIsTold: 'Enginn hjá félaginu fær skilaboð: skráin nefnir enga leið.',
    checking: 'Spyr þjónustuna og bókhaldskerfið …',
    pause: 'Gera hlé',
    resume: 'Halda áfram',
    sweep: 'Sækja núna',
    sweepDone: 'Verið er að sækja.',
    pauseWhat: 'Ekkert meira er sótt, bókað eða tilkynnt fyrir þetta félag fyrr en einhver heldur áfram.',
    resumeWhat: 'Brúin heldur áfram þar sem hún hætti.',
    paused: 'Félagið er í hléi.',
    resumed: 'Félagið heldur áfram.',
    file: 'Skrá',
    erp: 'Bókhaldskerfi',
    environment: 'Umhverfi',
    cutOver: 'Upphafsdagur',
    breakers: 'Tengingar',
    source: 'Reikningaþjónusta',
    sweeps: 'Sótt',
    byState: 'Skjöl eftir stöðu',
    connected: 'svarar',
    notConnected: 'svarar ekki',
    refused: 'hafnar aðganginum',
    sweepModes: { fast: 'það sem er nýtt', full: 'allt' },
    sweepFound: (listed, discovered) => `${count(listed)} á lista, ${count(discovered)} ný`,
  },
  schedules: {
    title: 'Tímasetningar',
    cron: 'Hvenær',
    last: 'Síðasta keyrsla',
    next: 'Næsta keyrsla',
    by: 'Af',
    emptyTitle: 'Engin tímasetning',
    empty: 'Hver félagsskrá hefur eina; hún birtist hér með næstu keyrslu.',
  },
};
