import type { REPORTS as english } from '../en/reports.js';
import { plural } from './plural.js';

export const REPORTS: typeof english = {
  reports: {
    title: 'Skýrslur þjónustunnar',
    intro: 'Það sem reikningaþjónustan veit umfram skjölin, lesið þar núna og hvergi geymt.',
    report: 'Skýrsla',
    names: { sales: 'Vörusala', attendees: 'Gestir', summary: 'Summur reikninga' },
    from: 'Frá',
    to: 'Til',
    show: 'Sýna',
    choose: 'Veldu félag og skýrslu',
    chooseMore: 'Þjónustan er spurð þegar þú velur Sýna.',
    noPeriod: 'Eins og það er núna; þjónustan hefur ekkert tímabil fyrir þetta.',
    nothing: 'Ekkert þar',
    nothingMore: {
      sales: 'Þjónustan hefur enga vörusölu hjá þessu félagi.',
      attendees: 'Enginn er skráður á viðburð hjá þessu félagi.',
      summary: 'Þjónustan hefur enga reikninga á þessu tímabili.',
    },
    more: (n) => `Aðeins fyrstu ${n} sjást hér; í skránni eru allar línur.`,
    unreadable: (n) =>
      `${plural(n, 'færsla þjónustunnar er ólæsileg', 'færslur þjónustunnar eru ólæsilegar')} og vantar hér.`,
    later: 'Þjónustan svarar ekki sem stendur. Spurðu aftur eftir stundarkorn.',
    download: 'Sækja sem CSV',
    came: 'kom',
    didNotCome: 'nei',
    columns: {
      name: 'Nafn',
      type: 'Tegund',
      status: 'Staða',
      amount: 'Verð',
      in_stock: 'Á lager',
      sale_name: 'Viðburður',
      kennitala: 'Kennitala',
      phone_number: 'Sími',
      qty: 'Fjöldi',
      invoice_number: 'Reikningur',
      invoice_status: 'Staða hans',
      attended: 'Kom',
      fields: 'Það sem spurt var um',
      count: 'Reikningar',
      currency: 'Mynt',
      total: 'Samtals',
    },
  },
};
