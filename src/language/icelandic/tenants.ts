// Hvernig félag stendur, og hvað skjöl þess bíða eftir.
import { momentInWords } from '../../domain/local-time.js';
import { writtenNumber } from '../../domain/written-number.js';
import type { TENANTS as ENGLISH } from '../english/tenants.js';
import { type Answer, answerQuoted } from '../answers.js';
import type { Say, Translated } from '../table.js';

const NAMES = { source: 'Reikningakerfið', erp: 'Bókhaldskerfið' } as const;
const OF = { source: 'Reikningakerfi', erp: 'Bókhaldskerfi' } as const;
const inside = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const documents = (count: number, one: string, many: string) =>
  count === 1 ? `1 skjal ${one}` : `${count} skjöl ${many}`;

/** Það sem annað kerfi sagði, á sínu máli. */
const quoted = (answer: Answer | undefined, say: Say) =>
  answer === undefined ? 'engin ástæða gefin' : answerQuoted(answer, say);

export const TENANTS = {
  PAUSED_BY: ({ by, why }) => `Í hléi, ${by}: ${why}`,
  PAUSED_IN_FILE: () => 'Í hléi samkvæmt skrá félagsins.',
  FILE_BROKEN: ({ place, version }) =>
    `Skrá félagsins er gölluð í ${place}; unnið er eftir útgáfunni frá ${momentInWords(version)}.`,
  NO_TENANT_FILE: () => 'Engin gild skrá er lengur til fyrir félagið.',
  SIDE_REFUSES: ({ side, answer }, say) => `${NAMES[side]} hafnar aðganginum: ${quoted(answer, say)}`,
  SIDE_SILENT: ({ side, answer }, say) => `${NAMES[side]} svarar ekki: ${quoted(answer, say)}`,
  PLAN_UNCONFIRMED: () => 'Ekkert er bókað fyrr en áætlunin hefur verið skoðuð og staðfest.',
  NEED_A_PERSON: ({ count }) => documents(count, 'bíður manneskju.', 'bíða manneskju.'),
  INCIDENTS_CRITICAL: ({ count }) =>
    count === 1 ? 'Alvarlegt atvik er opið.' : `${count} alvarleg atvik eru opin.`,
  ON_THEIR_WAY: ({ count }) => documents(count, 'er á leiðinni.', 'eru á leiðinni.'),
  WAIT_WITH_A_REASON: ({ count }) =>
    documents(count, 'bíður, af sinni ástæðu.', 'bíða, hvert af sinni ástæðu.'),
  ALL_IN_BOOKS: ({ reversed, skipped }) => {
    const left = [
      ...(reversed > 0 ? [`bakfærð: ${reversed}`] : []),
      ...(skipped > 0 ? [`sleppt: ${skipped}`] : []),
    ];
    const except = left.length === 0 ? '' : ` nema ${left.join(' og ')}`;
    return `Hvert skjal sem var afhent er í bókunum${except}.`;
  },

  CONNECTION_REFUSED: ({ side, tenant }) => `${NAMES[side]} hafnar aðgangi ${tenant}`,
  CONNECTION_DOWN: ({ side, tenant }) => `${OF[side]} ${tenant} svarar ekki`,
  CHECK_CREDENTIALS: ({ tenant }) =>
    `Athugaðu aðganginn með \`ledgerbridge tenant check ${tenant}\`; skjölin bíða og ekkert er merkt.`,
  GOES_ON_BY_ITSELF: ({ tenant }) =>
    `Skjölin bíða og halda áfram af sjálfsdáðum þegar það svarar; athugaðu með \`ledgerbridge tenant check ${tenant}\`.`,
  QUEUES_AWAY: ({ since }) => `Ekki hefur náðst í Redis síðan ${momentInWords(since)}`,
  START_REDIS: () =>
    'Ræstu Redis eða leiðréttu REDIS_URL; ekkert tapast og allt heldur áfram af sjálfsdáðum þegar það svarar.',
  LAST_ANSWER: ({ answer }, say) =>
    `Síðasta svar: ${answer === undefined ? 'ekkert' : answerQuoted(answer, say)}`,
  WAITS: () => 'Það bíður.',
  WAITS_FOR_CREDENTIALS: ({ side, since }) =>
    `Það bíður því ${inside(NAMES[side])} hefur hafnað aðganginum síðan ${momentInWords(since)}.`,
  WAITS_FOR_ANSWER: ({ side, since }) =>
    `Það bíður því ${inside(NAMES[side])} hefur ekki svarað síðan ${momentInWords(since)}.`,
  PLAN_AGAIN: () => 'Ekkert er vitað um lykla þess og tímabil. Lagaðu tenginguna og gerðu áætlunina aftur.',
  NO_DIMENSIONS_TAKEN: ({ dimensions }) =>
    `Þessi tenging við bókhaldskerfið tekur ekki við víddum, en skjöl hafa ${dimensions}.`,
  NAME_DIMENSIONS: () => 'Nefndu þær undir erp.settings í skrá félagsins, eða taktu þær úr rules.dimensions.',
  VAT_MODE_NOT_TAKEN: ({ mode }) =>
    mode === 'erp-splits'
      ? 'Reglurnar láta bókhaldskerfið reikna virðisaukaskatt úr brúttóupphæðum, en það getur þessi tenging ekki.'
      : 'Reglurnar hafa virðisaukaskatt á eigin línum, en þessi tenging lætur bókhaldskerfið reikna hann.',
  SET_VAT_MODE: ({ mode }) =>
    `Settu \`vat.mode: ${mode}\` í reglur félagsins, eða veldu tengingu sem getur þetta.`,
  NOT_FORESEEN: ({ count }) =>
    `Ekki var spurt um ${count} skjöl hvert um sig: mörk bókhaldskerfisins leyfa ekki fleiri í áætlun, eða það hætti að svara.`,
  SEEN_WHEN_SENT: () =>
    'Hvort bókhaldskerfið hefur viðskiptamenn þeirra, birgja og gengi sést þegar þau eru send; það sem er hafnað bíður með ástæðu.',
  PERIODS_NOT_CHECKED: () =>
    'Ekki var gáð að lokuðum tímabilum: þetta bókhaldskerfi segir ekki fyrr en færsla er send hvort dagurinn er opinn.',
  LOOK_FOR_CLOSED_PERIODS: () =>
    'Gáðu í bókhaldskerfinu; skjöl í lokuðu tímabili stöðvast sem ERP_PERIOD_CLOSED.',
  PLAN_IN_FIGURES: ({ post, totalIsk, reject, skip, wait, examined, waiting }) => {
    const number = (count: number) => writtenNumber(String(count));
    const parts = [
      `${number(post)} bókuð (${writtenNumber(totalIsk)} kr.)`,
      `${number(reject)} merkt Error`,
      ...(skip > 0 ? [`${number(skip)} merkt Skipped`] : []),
      `${number(wait)} ${wait === 1 ? 'bíður' : 'bíða'}`,
    ];
    const marks =
      reject + skip > 0 ? ' Error og Skipped í reikningakerfinu verður ekki tekið til baka héðan.' : '';
    const left =
      waiting > examined
        ? ` Þetta eru ${number(examined)} elstu skjölin af ${number(waiting)}; hin voru ekki skoðuð.`
        : '';
    return `${parts.join(', ')}.${marks}${left}`;
  },

  OTHER_COMPANY: ({ company, books, documents: theirs }) =>
    `Bókhaldskerfið geymir bækur ${company} (${books}), en skjölin eru frá ${theirs}.`,
  CORRECT_THE_COMPANY: () => 'Leiðréttu aðganginn að upprunanum eða félag bókhaldskerfisins í félagsskránni.',
  LACKS_ACCOUNT: ({ account }) => `Lykillinn ${account} er ekki til í bókhaldskerfinu eða er lokaður.`,
  LACKS_DIMENSION: ({ dimension, value }) =>
    value === undefined
      ? `Bókhaldskerfið þekkir ekki víddina ${dimension}.`
      : `Bókhaldskerfið þekkir ekki ${value} í víddinni ${dimension}.`,
  LACKS_VAT_CODE: ({ vatCode }) => `Bókhaldskerfið þekkir ekki VSK-kóðann ${vatCode}.`,
  LACKS_CURRENCY: ({ currency }) => `Gjaldmiðillinn ${currency} er ekki til í bókhaldskerfinu.`,
  LACKS_DAYS: ({ count, first, last }) =>
    count === 1
      ? `Ekki er hægt að bóka á ${first}.`
      : `Ekki er hægt að bóka á ${count} daga frá ${first} til ${last}.`,
  DAYS_ARE_OPEN: () => 'Allir bókunardagar eru opnir.',
  ALL_IS_THERE: () => 'Bókhaldskerfið hefur allt sem reglurnar nota.',
  CONNECTION_SAID: ({ side, answer }, say) =>
    `Tengingin við ${inside(NAMES[side])} segir: ${answerQuoted(answer, say)}`,
  MEND_IN_ERP_OR_RULES: () => 'Stofnaðu það í bókhaldskerfinu eða breyttu reglunum.',
  OPEN_THE_PERIOD: () =>
    'Opnaðu tímabilið í bókhaldskerfinu, eða settu `rules.period` svo að skjöl séu dagsett á fyrsta opna degi.',
  MEND_THE_CONNECTION: () => 'Lagaðu það sem hún nefnir og prófaðu aftur.',
} satisfies Translated<typeof ENGLISH>;
