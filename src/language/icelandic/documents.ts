// Hvernig skjal stendur, og hvað aðgerð á því myndi gera.
import type { DOCUMENTS as ENGLISH } from '../english/documents.js';
import type { Translated } from '../table.js';

export const DOCUMENTS = {
  DOCUMENT_DISCOVERED: () => 'Það er fundið og bíður síns tíma; ekkert þarf að gera.',
  DOCUMENT_MAPPED: () => 'Færslan er tilbúin og bíður þess að fara í bókhaldskerfið; ekkert þarf að gera.',
  DOCUMENT_POSTING: () => 'Færslan er á leið í bókhaldskerfið.',
  DOCUMENT_UNCERTAIN: () =>
    'Það kann að hafa náð til bókhaldskerfisins; brúin er að komast að því og bókar það aðeins ef það er örugglega ekki þar.',
  DOCUMENT_POSTED: () => 'Það er í bókunum; næst fær upprunakerfið að vita.',
  DOCUMENT_WRITING_BACK: () => 'Það er í bókunum og verið er að skrifa Posted í upprunanum.',
  DOCUMENT_ACKNOWLEDGED: ({ entry }) =>
    entry === undefined
      ? 'Það er í bókunum og upprunakerfið segir Posted.'
      : `Það er í bókunum sem ${entry} og upprunakerfið segir Posted.`,
  DOCUMENT_SKIPPED: ({ reason }, say) => `Það er ekki bókað: ${say(reason)}`,
  DOCUMENT_REVERSED: () => 'Færslan var bakfærð. Bókaðu það aftur ef það á þó heima í bókunum.',
  DOCUMENT_MOVED_TO_NEW: () =>
    'Það var fært í New í upprunanum og kemur aftur af sjálfsdáðum þegar það er samþykkt þar.',
  CURE: ({ reason }) => reason,
  NO_REASON: () => 'engin ástæða er skráð.',
  SENTENCES: ({ said }, say) => said.map(say).join(' '),

  REPLAYS_FROM_THE_START: () => 'Það er lesið, vinnst og bókast að nýju undir sama lykli.',
  REPLAYS_BY_FINDING_OUT: () => 'Brúin kemst að því hvort bókhaldskerfið hefur það og heldur áfram þaðan.',
  REPLAYS_THE_STATUS: () => 'Það er í bókunum; upprunakerfið er lesið og því sagt aftur.',
  REPLAYS_NOW: () => 'Það er reynt núna í stað þess að bíða.',
  REPLAY_HOLDS_AGAIN: () =>
    'Því verður aftur haldið eftir: félagsskrána vantar enn það sem beðið er eftir. Lagaðu skrána, þá heldur það áfram sjálfkrafa; keyrðu það aðeins aftur ef því var breytt hjá þjónustunni.',
  REPLAY_PARKS_AGAIN: () =>
    'Þetta bókhaldskerfi getur ekki sagt hvort það hefur það, svo að því er aftur lagt til hliðar. Gáðu þar; sé það örugglega ekki þar, keyrðu aftur með --surely-absent.',
  IS_NEW_AT_SOURCE: () =>
    'Það er New í upprunanum. Leiðréttu það þar ef þarf og samþykktu: þá kemur það aftur við næsta lestur.',
  IS_APPROVED_AT_SOURCE: () => 'Það er þegar samþykkt í upprunanum: það kemur aftur við næsta lestur.',
} satisfies Translated<typeof ENGLISH>;
