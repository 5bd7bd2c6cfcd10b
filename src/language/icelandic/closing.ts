// Það sem staðfesting á tímabili segir.
import type { CLOSING as ENGLISH } from '../english/closing.js';
import { originalWord } from '../originals.js';
import { sourceFieldWords } from '../source-fields.js';
import { stateName } from './refusals.js';
import type { Translated } from '../table.js';

const KINDS: Readonly<Record<string, string>> = { invoice: 'Reikningur', cost: 'Kostnaður' };
const named = (kind: string, number: string) => `${KINDS[kind] ?? kind} ${number}`;

export const CLOSING = {
  CLOSE_SOURCE_DIFFERS: ({ subject, source, bridge }) =>
    `${subject}: reikningakerfið er með ${source}, brúin ${bridge}.`,
  CLOSE_NOT_KNOWN: ({ kind, number }) =>
    `${named(kind, number)} er í reikningakerfinu en brúin þekkir hann ekki.`,
  CLOSE_NOT_AT_SOURCE: ({ kind, number }) =>
    `${named(kind, number)} er á skrá hér en reikningakerfið sýnir hann ekki lengur.`,
  CLOSE_AMOUNT_CHANGED: ({ kind, number, was, is }) =>
    `${named(kind, number)} var ${was} þegar hann var bókaður en er nú ${is} í reikningakerfinu.`,
  CLOSE_CONTENT_CHANGED: ({ kind, number, fields }) =>
    `${named(kind, number)} var breytt í reikningakerfinu eftir bókun${fields === '' ? '' : `: ${sourceFieldWords('is', fields)}`}.`,
  CLOSE_CANCELLED: ({ kind, number }) =>
    `${named(kind, number)} var felldur niður í reikningakerfinu en er í bókunum, og enginn kreditreikningur kemur á móti.`,
  CLOSE_NOT_POSTED: ({ kind, number, status }) =>
    `${named(kind, number)} er í bókunum en reikningakerfið segir ${status}.`,
  CLOSE_ENTRY_NOT_CLAIMED: ({ kind, number, entry, state }) =>
    `Bókhaldskerfið er með færslu ${entry} sem á við skjalið ${named(kind, number)}, en hér er ekki skráð að það sé bókað: það er ${stateName(state)}.`,
  CLOSE_CONTENT_UNREAD: ({ count, problem }) =>
    `Ekki tókst að lesa aftur ${String(count)} bókuð skjöl, svo ekki er vitað hvort þeim var breytt: ${problem}`,
  CLOSE_ACCOUNT_DIFFERS: ({ account, bridge, erp }) =>
    `Reikningslykill ${account}: brúin bókaði ${bridge} en bókhaldskerfið sýnir ${erp}.`,
  CLOSE_VAT_DIFFERS: ({ vatCode, bridge, erp }) =>
    `VSK-lykill ${vatCode}: brúin bókaði ${bridge} en bókhaldskerfið sýnir ${erp}.`,
  CLOSE_ENTRY_MISSING: ({ kind, number, entry }) =>
    `${named(kind, number)} var bókaður sem ${entry} en bókhaldskerfið sýnir þá færslu ekki lengur.`,
  CLOSE_ENTRY_UNKNOWN: ({ entry, key }) =>
    `Bókhaldskerfið er með færslu ${entry} undir ${key} sem brúin þekkir ekki.`,
  CLOSE_ENTRY_TWICE: ({ key, count }) => `Bókhaldskerfið er með ${String(count)} færslur undir ${key}.`,
  CLOSE_NUMBER_MISSING: ({ numbers }) => `Reikningsnúmer vantar í röðina: ${numbers}.`,
  CLOSE_WAITING: ({ kind, number, state }) =>
    `${named(kind, number)} er ófrágenginn: skjalið er ${stateName(state)}.`,
  CLOSE_ORIGINAL: ({ kind, number, role, state }) =>
    `Frumrit vantar. ${named(kind, number)}, ${originalWord('is', 'roles', role)}: ${originalWord('is', 'states', state)}.`,
  PERIOD_REOPENED: ({ count }) =>
    `Tímabilið er opið á ný: síðan staðfestingin var gerð hafa ${String(count)} skjöl bæst við eða breyst. Lokaðu aftur.`,
  CERTIFICATE_UNKNOWN: ({ id }) => `Engin staðfesting er til með auðkennið ${id.slice(0, 40)}.`,
  CLOSED_MEANWHILE: ({ tenant }) =>
    `Einhver annar lokaði tímabili hjá ${tenant} á meðan, og staðfestingar fylgja hver annarri: lokaðu aftur.`,
  CLOSE_AUDIT_BROKEN: () => 'Ferilskráin er rofin: færslum var breytt eða þær fjarlægðar.',
  CLOSE_SOURCE_UNREADABLE: ({ problem }) => `Ekki tókst að lesa reikningakerfið til enda: ${problem}`,
  CLOSE_LIMIT_HIDDEN: () =>
    'Kostnaður sem reikningakerfið afhendir ekki (ósamþykktur til bókunar eða falinn) sést ekki hér.',
  CLOSE_LIMIT_CUT_OVER: ({ day }) => `Skjöl útgefin fyrir ${day} eru ekki á vegum brúarinnar.`,
  CLOSE_LIMIT_NO_LOOK_UP: () =>
    'Þetta bókhaldskerfi sýnir forritum engar færslur: bækur þess voru ekki bornar saman.',
  CLOSE_LIMIT_OTHERS: () => 'Færslur sem fólk eða önnur forrit bóka í bókhaldskerfinu eru ekki skoðaðar.',
  CLOSE_LIMIT_VAT: () =>
    'Þetta bókhaldskerfi sýnir forritum enga VSK-lykla: VSK eftir lyklum er eins og brúin bókaði hann og bókhaldskerfið er borið saman eftir bókhaldslyklum.',
  CLOSE_LIMIT_RESTORED: ({ day }) =>
    `Gögn brúarinnar voru færð til fyrra horfs ${day}: það sem hún gleymdi finnst við næsta heildarlestur eða birtist hér sem mismunur.`,
  CLOSE_LIMIT_ORIGINALS_OFF: () => 'Frumrit eru ekki geymd fyrir þetta félag og því var ekki leitað að þeim.',
} satisfies Translated<typeof ENGLISH>;
