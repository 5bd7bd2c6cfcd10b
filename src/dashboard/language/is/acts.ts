// What can be done with documents, one by one and many at once.
import type { ACTS as Texts } from '../en/acts.js';
import { count } from '../format.js';
import { plural } from './plural.js';

export const ACTS: typeof Texts = {
  actions: {
    replay: {
      name: 'Keyra aftur',
      what: 'Skjalið er reynt aftur undir sama auðkenni. Ef það er þegar í bókhaldskerfinu finnur brúin það þar og bókar ekkert tvisvar. Þegar það er bókað fær þjónustan stöðuna Posted.',
      done: 'Endurkeyrsla hafin.',
    },
    skip: {
      name: 'Sleppa',
      what: 'Ekkert er bókað, og Skipped er skráð hjá þjónustunni með ástæðu þinni. Fyrir kostnað er það endanlegt þar nema hann sé færður í New og samþykktur aftur.',
      done: 'Skjalinu er sleppt.',
    },
    hold: {
      name: 'Halda',
      what: 'Ekkert gerist með skjalið fyrr en einhver sleppir því. Hvorki bókhaldskerfið né þjónustan fær að vita af því.',
      done: 'Skjalinu er haldið.',
    },
    release: {
      name: 'Losa',
      what: 'Haldinu lýkur og skjalið heldur áfram þar sem það stóð.',
      done: 'Skjalið er laust.',
    },
    'mark-posted': {
      name: 'Merkja bókað',
      what: 'Fyrir skjal sem var bókað í höndunum. Brúin les færsluna sem þú nefnir og trúir þér aðeins ef upphæðirnar stemma. Þá er Posted skráð hjá þjónustunni.',
      done: 'Skjalið er merkt bókað.',
    },
    reverse: {
      name: 'Bakfæra',
      what: 'Önnur færsla sem ógildir þá fyrri er bókuð í bókhaldskerfinu. Þjónustan segir áfram Posted: því verður ekki breytt þar.',
      done: 'Bakfærslan er á leiðinni.',
    },
    repost: {
      name: 'Bóka aftur',
      what: 'Skjalið er bókað á ný í bókhaldskerfinu, sem ný kynslóð: fyrri færsla þess var bakfærð.',
      done: 'Skjalið er aftur á leiðinni.',
    },
    'move-to-new': {
      name: 'Færa í New',
      what: 'Kostnaðurinn er færður í New hjá þjónustunni. Einhver þarf að samþykkja hann þar aftur; þá kemur hann til baka sjálfkrafa.',
      done: 'Kostnaðurinn var færður í New hjá þjónustunni.',
    },
  },
  acts: {
    confirm: 'Framkvæma',
    erpReference: 'Færsla í bókhaldskerfi',
    erpReferenceHelp: 'Eins og bókhaldskerfið sýnir hana: númer eða auðkenni.',
    surelyAbsent: 'Ég hef gáð í bókhaldskerfinu: skjalið er örugglega ekki þar.',
    reversalAbsent: 'Ég hef gáð í bókhaldskerfinu: bakfærslan er örugglega ekki þar.',
    acceptDifferences:
      'Ég hef borið þau saman: þetta er sama skjalið, bókað í höndunum á aðra lykla eða á öðru gengi.',
    notNow: 'Ekkert er hægt að gera við það í augnablikinu.',
  },
  replay: {
    title: 'Endurkeyrsla',
    preview: (eligible, total) =>
      `Hægt er að keyra ${count(eligible)} af ${plural(total, 'skjali', 'skjölum')} aftur`,
    what: 'Hvert þeirra er reynt aftur undir sínu auðkenni, fáein í einu. Það sem er þegar í bókhaldskerfinu finnst þar; ekkert er bókað tvisvar.',
    tooMany: (n) => `Ein endurkeyrsla tekur ${plural(n, 'skjal', 'skjöl')}. Hin þurfa aðra.`,
    ineligible: 'Ekki með',
    sample: 'Nokkur þeirra',
    start: (n) => `Keyra ${plural(n, 'skjal', 'skjöl')} aftur`,
    nothing: 'Ekkert þeirra er hægt að keyra aftur.',
    progress: 'Framvinda',
    running: 'Í gangi. Þú getur farið af síðunni: þetta heldur áfram og finnst aftur hér:',
    done: 'Lokið.',
    moved: 'send áfram',
    refused: 'hafnað',
    rested: 'bíða aftur',
    restsAgain: (n) =>
      n === 1
        ? 'Eitt þeirra kemst ekki áfram: orsökin er enn til staðar.'
        : `${count(n)} þeirra komast ekki áfram: orsökin er enn til staðar.`,
    by: 'frá',
    recent: 'Endurkeyrslur',
    noneYet: 'Ekkert hefur verið keyrt aftur enn',
    perSecond: 'Skjöl á sekúndu',
    inBooks: 'komin í bækurnar',
  },
};
