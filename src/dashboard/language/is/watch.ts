// What is watched over: incidents, queues, the audit.
import type { WATCH as Texts } from '../en/watch.js';
import { count } from '../format.js';

export const WATCH: typeof Texts = {
  incidents: {
    title: 'Atvik',
    emptyTitle: 'Ekkert opið atvik',
    empty:
      'Hér birtist það sem einhver ætti að vita: mismunur, bilanir, höfnuð auðkenni. Ein lína hvert, endurtekningar eru taldar.',
    acknowledge: 'Ég hef séð það',
    resolve: 'Afgreitt',
    times: (n) => `${count(n)} sinnum`,
    documents: (n) => `${count(n)} skjöl`,
    show: 'Sýna',
    open: 'Opin',
    resolved: 'Afgreidd',
    nextStep: 'Hvað skal gera',
    resolvedBy: 'afgreitt af',
    states: { open: 'opið', acknowledged: 'séð', resolved: 'afgreitt' },
    severities: { info: 'Ábending', warning: 'Viðvörun', critical: 'Alvarlegt' },
  },
  queues: {
    title: 'Biðraðir',
    intro: 'Biðraðir vekja aðeins: gögnin ráða. Ekkert tapast þótt ein glatist.',
    backend: 'Þær eru í',
    away: (store) =>
      `${store} svarar ekki. Ekkert tapast: gögnin vita hvað á að gera og vinnan heldur áfram þegar það svarar aftur.`,
    backends: { redis: 'Redis', postgres: 'PostgreSQL' },
    board: 'Biðraðaborð',
    open: 'Opna eitt og sér',
    waiting: 'Bíða',
    active: 'Í vinnslu',
    failed: 'Mistókust',
    completed: 'Nýlokið',
    name: 'Biðröð',
  },
  audit: {
    title: 'Ferill',
    emptyTitle: 'Ekkert á skrá',
    empty: 'Hver hreyfing skjals og hvert verk fólks birtist hér.',
    who: 'Hver',
    what: 'Hvað',
    subject: 'Um',
    when: 'Hvenær',
    verify: 'Sannreyna keðjuna',
    whole: (entries) => `Heil: ${entries} færslur, engri breytt og engin horfin.`,
    broken: 'Rofin',
  },
};
