// The first page.
import type { OVERVIEW as Texts } from '../en/overview.js';
import { plural } from './plural.js';

export const OVERVIEW: typeof Texts = {
  overview: {
    title: 'Yfirlit',
    needsYou: (causes, documents) =>
      `Bíður þín: ${plural(causes, 'orsök', 'orsakir')}, ${plural(documents, 'skjal', 'skjöl')}`,
    nothingNeeded: 'Ekkert bíður þín.',
    nothingNeededMore: 'Hvert skjal sem var afhent er í bókunum, eða bíður af ástæðu sem tíminn leysir.',
    needsYouCard: 'Bíður þín',
    toProblems: 'Skoða vandamálin',
    waiting: 'Í bið',
    postedToday: 'Bókað í dag',
    oldest: 'Elst í bið',
    inBooks: 'Í bókunum',
    incidents: 'Opin atvik',
    throughput: 'Skjöl eftir útkomu',
    lag: 'Frá fundi til bókunar',
    lagUnit: 'það hægasta',
    noThroughput: 'Engu lauk á þessum tíma.',
    span: 'Tímabil sem sést',
    spans: { hour: 'Síðasta klst.', day: 'Sólarhringur' },
    tenant: 'Félag',
    state: 'Staða',
    lastSweep: 'Síðast sótt',
    sweepsFail: 'mistekst í',
    moreConditions: (more) => `${more} í viðbót`,
    failed: 'Bíða þín',
    posted: 'Bókuð',
    next: 'Næst sótt',
    paused: 'í hléi',
    noTenants: 'Ekkert félag enn',
    noTenantsMore:
      'Eitt félag er eitt fyrirtæki: hvaðan skjölin koma og í hvaða bækur þau fara. Skrifaðu skrána með þessari skipun; brúin tekur hana upp af sjálfsdáðum.',
    series: { posted: 'Bókuð', skipped: 'Sleppt', rejected: 'Hafnað', parked: 'Bíða þín' },
    table: 'Sem tafla',
    hour: 'Frá',
    never: 'aldrei',
    unconfirmed: 'Skoða áætlunina',
  },
  health: {
    ok: 'Í lagi',
    working: 'Að vinna',
    waiting: 'Í bið',
    'needs-you': 'Bíður þín',
    down: 'Niðri',
    paused: 'Í hléi',
    unconfirmed: 'Áætlun óstaðfest',
  },
};
