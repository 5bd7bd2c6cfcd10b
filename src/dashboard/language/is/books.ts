// Plan, reconciliation and VAT.
import type { BOOKS as Texts } from '../en/books.js';
import { count } from '../format.js';
import { plural } from './plural.js';

export const BOOKS: typeof Texts = {
  plan: {
    title: 'Áætlun',
    intro: 'Það sem yrði bókað núna, borið saman við bókhaldskerfið. Ekkert er skrifað.',
    choose: 'Veldu félag til að sjá hvað yrði bókað fyrir það.',
    make: 'Gera áætlun',
    making: 'Les hjá þjónustunni og geri færslur …',
    wouldPost: 'Yrði bókað',
    wouldNot: 'Yrði ekki bókað',
    perAccount: 'Samtölur á lykil',
    confirm: 'Staðfesta og hefja bókun',
    confirmWhat: 'Héðan í frá bókar brúin skjöl þessa félags sjálf, og byrjar á þeim sem eru í áætluninni.',
    becomes: { reject: 'Merkt Error', skip: 'Merkt Skipped', waits: 'Bíða' },
    otherCompany: 'Byrja þótt bækurnar séu annars félags.',
    despiteErrors: 'Byrja þótt villur séu í áætluninni: skjölum sem þurfa það sem vantar er haldið.',
    unchecked:
      'Byrja þótt ekki hafi náðst í bókhaldskerfið: það sem vantar kemur þá fyrst í ljós þegar skjöl stöðvast.',
    adminConfirms: 'Stjórnandi staðfestir áætlunina; þangað til er ekkert bókað.',
    confirmed: 'Staðfest',
    notConfirmed: 'Ekkert er bókað fyrir þetta félag fyrr en áætlun þess hefur verið staðfest.',
    problems: 'Bókhaldskerfið er ekki tilbúið',
    ready: 'Bókhaldskerfið þekkir alla lykla og tímabilin eru opin.',
  },
  reconciliation: {
    title: 'Afstemming',
    intro: 'Þjónustan, brúin og bókhaldskerfið eru borin saman, skjal fyrir skjal. Engu er breytt.',
    run: 'Bera saman núna',
    from: 'Frá',
    to: 'Til',
    clean: 'Allt stemmir',
    notClean: (n) => plural(n, 'frávik', 'frávik'),
    emptyTitle: 'Ekki borið saman enn',
    empty: 'Hver samanburður birtist hér með mismuninum, eða án hans.',
    period: 'Tímabil',
    result: 'Niðurstaða',
    started: 'Hafið',
    running: 'í gangi',
    differences: 'Mismunur',
    entries: (erp, local) =>
      erp === local
        ? `${plural(erp, 'færsla', 'færslur')} í bókhaldinu, jafnmargar hér`
        : `${plural(erp, 'færsla', 'færslur')} í bókhaldinu, ${count(local)} hér`,
  },
  vat: {
    title: 'Virðisaukaskattsskýrsla',
    intro:
      'Það sem bækurnar segja um virðisaukaskatt á tímabili, og það sem er ekki enn í þeim. Ekkert er sent.',
    period: 'Tímabil',
    show: 'Sýna',
    emptyTitle: 'Veldu félag og tímabil',
    empty: 'Til dæmis 2026-09..10, 2026-09 eða 2026.',
    boxes: {
      A: 'Skattskyld velta í 24 % þrepi, án vsk.',
      B: 'Skattskyld velta í 11 % þrepi, án vsk.',
      C: 'Undanþegin velta skv. 12. gr. (útflutningur)',
      D: 'Útskattur',
      E: 'Innskattur',
      F: 'Til greiðslu, D – E; mínus er inneign',
    },
    sides: { sale: 'Sala', purchase: 'Kaup', 'reverse-charge': 'Snúin skattskylda' },
    codes: 'Eftir VSK-kóða',
    code: 'Kóði',
    side: 'Hlið',
    box: 'Reitur',
    outside: 'utan skýrslu',
    base: 'Stofn',
    tax: 'VSK',
    entries: 'Færslur',
    behind: (code) => `Skjöl á bak við ${code}`,
    more: (n) => `og ${plural(n, 'til viðbótar', 'til viðbótar')}`,
    withoutLines: (n) => `${plural(n, 'færsla er', 'færslur eru')} án lína í skránni: sjá bókhaldskerfið.`,
    allPosted: 'Öll skjöl tímabilsins eru í bókunum.',
    unposted: 'Ekki enn í bókunum',
    unpostedWhat: 'Gefin út á tímabilinu; þau myndu breyta skýrslunni.',
  },
};
