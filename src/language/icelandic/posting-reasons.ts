// Hvers vegna bókun hvílir, umfram það sem lesturinn segir.
import type { POSTING_REASONS as ENGLISH } from '../english/posting-reasons.js';
import { type Answer, answerQuoted } from '../answers.js';
import type { Say, TranslatedReasons } from '../table.js';

/** Orð bókhaldskerfisins eru merkt því; okkar orð ekki. */
function told(message: Answer, say: Say): string {
  const text = answerQuoted(message, say);
  return text.startsWith('„') ? `Það segir: ${text}` : text;
}

export const POSTING_REASONS = {
  SOURCE_DELETED: {
    says: 'Skjalinu var eytt í upprunanum áður en það var bókað.',
    cure: 'Ekkert: hér er ekkert að bóka.',
  },
  SOURCE_UNREADABLE: {
    says: 'Upprunakerfið sendi skjalið á formi sem ekki er hægt að lesa.',
    detail: ({ problem }) => problem,
    cure: 'Líttu á skjalið í upprunanum; keyrðu það aftur þegar það er í lagi.',
  },
  FOREIGN_POSTED: {
    says: 'Upprunakerfið segir Posted, en brúin bókaði það ekki.',
    cure: 'Komstu að því hver bókaði það. Sé það í bókunum skaltu merkja það bókað með tilvísun; annars þarf að opna það aftur í upprunanum.',
  },
  DEFERRED_TOO_LONG: {
    says: 'Skjalið var ekki tilbúið til bókunar lengur en brúin bíður.',
    detail: ({ reason }, say) => say(reason),
    cure: 'Ljúktu við skjalið eða eyddu því í upprunanum, og keyrðu það svo aftur.',
  },
  CONTENT_CHANGED: {
    says: 'Skjalinu var breytt í upprunanum eftir að færslan var bókuð.',
    detail: ({ status }) => (status === undefined ? '' : `Upprunakerfið segir ${status || 'ekkert'}.`),
    cure: 'Berðu þau saman; bakfærðu og bókaðu aftur ef bækurnar eiga að fylgja breytingunni.',
  },
  ERP_PERIOD_CLOSED: {
    says: 'Bókhaldskerfið hefur lokað tímabilinu sem skjalið er á.',
    detail: ({ message }, say) => told(message, say),
    cure: 'Opnaðu tímabilið í bókhaldskerfinu, eða settu period.lockedUntil með whenLocked: firstOpenDay í reglurnar. Reynt er aftur daglega.',
  },
  ERP_CONFIGURATION: {
    says: 'Bókhaldskerfið þekkir ekki eitthvað sem reglurnar nota.',
    detail: ({ message }, say) => told(message, say),
    about: ({ message }, say) => answerQuoted(message, say),
    cure: 'Stofnaðu það í bókhaldskerfinu eða breyttu reglunum; svo er reynt aftur af sjálfsdáðum.',
  },
  ERP_REFUSED: {
    says: 'Bókhaldskerfið hafnaði færslunni.',
    detail: ({ message }, say) => told(message, say),
    about: ({ refusal }) => refusal,
    cure: 'Lestu skilaboðin, lagaðu það sem þau nefna og keyrðu svo aftur.',
  },
  ERP_COLLISION: {
    says: 'Bókhaldskerfið geymir færslu undir þessum lykli með öðru innihaldi.',
    detail: ({ what }, say) => say(what),
    cure: 'Berðu færslurnar tvær saman í bókhaldskerfinu; merktu bókað ef þetta er sama skjal, annars þarf að bakfæra.',
  },
  ERP_DUPLICATE: {
    says: 'Bókhaldskerfið geymir fleiri en eina færslu undir þessum lykli.',
    detail: ({ what }, say) => say(what),
    cure: 'Bakfærðu aukafærsluna í bókhaldskerfinu og keyrðu svo aftur: brúin gáir áður en hún bókar.',
  },
  OUTCOME_UNKNOWN: {
    says: 'Ekki er vitað hvort bókhaldskerfið tók við færslunni, og þetta kerfi gefur enga örugga leið til að komast að því.',
    detail: ({ what }, say) => say(what),
    cure: 'Leitaðu að lyklinum í bókhaldskerfinu. Sé hann þar, merktu bókað; sé hann örugglega ekki þar, keyrðu aftur með --surely-absent.',
  },
  TRIES_EXHAUSTED: {
    says: 'Það mistókst jafnoft og brúin reynir.',
    detail: ({ last }, say) => `Síðast: ${say(last)}`,
    cure: 'Skoðaðu tilraunirnar, lagaðu orsökina og keyrðu svo aftur.',
  },
  WRITE_BACK_REFUSED: {
    says: 'Upprunakerfið tekur ekki við bókhaldsstöðunni.',
    detail: ({ status }) => (status === undefined ? '' : `Upprunakerfið segir ${status || 'ekkert'}.`),
    cure: 'Líttu á skjalið í upprunanum; stöðu þess þar og bókunum ber ekki saman.',
  },
  SOURCE_REOPENED: {
    says: 'Skjalið er í bókunum og var síðan opnað aftur til breytinga í upprunanum.',
    cure: 'Samþykktu það aftur óbreytt og staðan fylgir af sjálfsdáðum; hafi því verið breytt, bakfærðu og bókaðu aftur.',
  },
  ORIGINALS_AWAITED: {
    says: 'Það er í bókunum; upprunakerfið fær að vita þegar frumritin eru komin að færslunni.',
    cure: 'Ekkert, nema eitthvert þeirra bíði úrlausnar: lagaðu þá það sem það nefnir og láttu reyna aftur.',
  },
  AWAITS_SUMMARY: {
    says: 'Það bíður dagbókarfærslu síns dags.',
    detail: ({ day }) => `Skjöl dagsins ${day} eru bókuð saman þegar deginum er lokað.`,
    cure: 'Ekkert: það er lesið einu sinni enn þegar deginum er lokað og bókað með hinum.',
  },
  IN_SUMMARY: {
    says: 'Það er á leið í bókhaldskerfið með öðrum skjölum dagsins.',
    detail: ({ summary }) => `Þau eru ${summary}.`,
    cure: 'Ekkert: skjalið fylgir þeirri færslu.',
  },
  SUMMARY_WAITS: {
    says: 'Færsla dagsins kann að hafa náð til bókhaldskerfisins og bíður þess að einhver líti á hana.',
    detail: ({ summary }) => `Hún er ${summary}.`,
    about: ({ summary }) => summary,
    cure: 'Líttu á þá færslu; þetta skjal fylgir henni.',
  },
  SUMMARY_REFUSED: {
    says: 'Bókhaldskerfið hafnaði færslu dagsins; ekkert úr henni er í bókunum.',
    detail: ({ refusal }, say) => say(refusal),
    cure: 'Ekkert hér: skjölin sem höfnunin snýst um bíða hvert fyrir sig, hin eru tekin saman að nýju.',
  },
  NOTHING_TO_SUMMARISE: {
    says: 'Ekkert skjal dagsins bíður þess að vera bókað með hinum.',
    cure: 'Ekkert: þau sem koma síðar hefja hana aftur.',
  },
  ORPHANED: {
    says: 'Skjalið er í bókunum, en því var eytt í upprunanum.',
    cure: 'Bakfærðu færsluna eða endurheimtu skjalið í upprunanum.',
  },
  SKIPPED_BY_OPERATOR: {
    says: 'Rekstraraðili ákvað að þetta skjal yrði ekki bókað.',
    detail: ({ why }) => why,
    cure: 'Ekkert; eigi það þó heima í bókunum, keyrðu það aftur (kostnaður er fyrst færður í New í upprunanum).',
  },
  HELD_BY_OPERATOR: {
    says: 'Rekstraraðili heldur skjalinu.',
    detail: ({ why }) => why,
    cure: 'Slepptu því þegar það má halda áfram.',
  },
} satisfies TranslatedReasons<typeof ENGLISH>;
