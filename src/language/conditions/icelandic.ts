// Ástandið á íslensku. The conditions in Icelandic.
import type { ConnectionParams, Side } from '../../domain/condition.js';
import { momentInWords } from '../../domain/local-time.js';
import type { BookedKind } from '../../domain/source-document.js';
import { keptText, cureText, say, subjectText } from '../say.js';
import type { Message } from '../../domain/message.js';
import type { ConditionTexts } from './table.js';

const SIDES: Readonly<Record<Side, string>> = { source: 'Reikningakerfi', erp: 'Bókhaldskerfi' };
const SIDES_DEFINITE: Readonly<Record<Side, string>> = { source: 'Reikningakerfið', erp: 'Bókhaldskerfið' };
const BOOKED: Readonly<Record<BookedKind, string>> = {
  invoice: 'reikningur',
  cost: 'kostnaður',
  payment: 'greiðsla reiknings',
  release: 'losun',
  summary: 'samantekt',
};
const KINDS = { invoice: 'Reikninga', cost: 'Kostnað' } as const;

/** 1, 21, 31 … eru eintala, en 11 ekki. */
const isOne = (count: number) => count % 10 === 1 && count % 100 !== 11;
const documents = (count: number) => `${count} ${isOne(count) ? 'skjal' : 'skjöl'}`;
const records = (count: number) => `${count} ${isOne(count) ? 'færsla' : 'færslur'}`;
const wait = (count: number) => (isOne(count) ? 'bíður' : 'bíða');
const said = (reason: string) =>
  reason === '' ? 'Ekkert svar barst.' : `Síðasta svar: ${keptText('is', reason)}`;
const meanwhile = ({ count }: ConnectionParams) => `${documents(count)} ${wait(count)} á meðan.`;

/** Auðkenni orsakar er á ensku; lesandinn fær það sem hún snýst um á sínu máli. */
const causeWords = (reason: Message, cause: string) => {
  const subject = 'asWritten' in reason.params ? '' : subjectText('is', reason);
  return subject === '' ? cause : `${reason.code}, ${subject}`;
};

export const CONDITIONS_IN_ICELANDIC: ConditionTexts = {
  BRIDGE_NOT_RUNNING: () => ({
    title: 'Engin brú er í gangi á þessum gögnum',
    details: 'Ekkert finnst, ekkert er bókað og enginn látinn vita á meðan.',
    nextStep: 'Ræstu hana: ledgerbridge serve',
  }),
  PLAN_UNCONFIRMED: ({ count }, { name, command }) => ({
    title: `Áætlun ${name} er óstaðfest: ${documents(count)} ${wait(count)}`,
    details: 'Ekkert er bókað fyrr en einhver hefur skoðað áætlunina.',
    nextStep: `Skoðaðu hana og staðfestu: ledgerbridge plan ${command} --confirm`,
  }),
  TENANT_FILE_GONE: ({ count }, { name }) => ({
    title: `Engin gild félagsskrá er lengur til fyrir ${name}`,
    details: `Hvorki er lesið né bókað. ${documents(count)} ${wait(count)}.`,
    nextStep: 'Lagaðu skrána eða settu hana aftur á sinn stað: ledgerbridge tenant validate',
  }),
  TENANT_FILE_BROKEN: ({ place, path, what, remedy, more, version }, { name }) => ({
    title: `Félagsskrá ${name} er gölluð í ${place}; brúin vinnur eftir útgáfunni frá ${momentInWords(version)}`,
    details: `${path === '' ? '' : `${path}: `}${say('is', what)}${more === 0 ? '' : isOne(more) ? ` ${more} galli í viðbót.` : ` ${more} gallar í viðbót.`} Ekkert af því sem var breytt í skránni gildir, og brú sem er ræst núna sleppir ${name}.`,
    nextStep: `${say('is', remedy)} Allir gallar: ledgerbridge tenant validate. Löguð skrá er tekin upp sjálfkrafa.`,
  }),
  TENANT_PAUSED: ({ by, reason, needsYou, waiting }, { name, command }) => ({
    title: `${by} setti ${name} í bið`,
    details: `${reason} ${documents(waiting)} ${wait(waiting)}, ${needsYou} þurfa manneskju.`.trim(),
    nextStep: `Láttu það halda áfram þegar það má: ledgerbridge resume ${command}`,
  }),
  CONNECTION_DOWN: (params, { name, command }) => ({
    title: `${SIDES[params.side]} ${name} svarar ekki síðan ${momentInWords(params.since)}`,
    details: `${meanwhile(params)} ${said(params.reason)}`,
    nextStep: `Þau halda áfram sjálfkrafa þegar það svarar; skoðaðu með: ledgerbridge tenant check ${command}`,
  }),
  CONNECTION_REFUSED: (params, { name, command }) => ({
    title: `${SIDES_DEFINITE[params.side]} hafnar aðgangi ${name}`,
    details: `${meanwhile(params)} ${said(params.reason)}`,
    nextStep: `Athugaðu aðganginn: ledgerbridge tenant check ${command}. Ekkert er merkt á meðan.`,
  }),
  DOCUMENTS_REST: ({ count, reason, needsPerson, cause }, { name, command }) => ({
    title: needsPerson
      ? `${documents(count)} hjá ${name} ${isOne(count) ? 'þarf' : 'þurfa'} manneskju: ${say('is', reason)}`
      : `${documents(count)} hjá ${name} ${wait(count)}: ${say('is', reason)}`,
    details: `Orsök: ${causeWords(reason, cause)}.${needsPerson ? '' : ' Reynt er aftur sjálfkrafa.'}`,
    nextStep: `${cureText('is', reason.code)} Allar orsakir: ledgerbridge problems --tenant ${command}`,
  }),
  DOCUMENTS_STUCK: ({ count, since }, { name, command }) => ({
    title: `${documents(count)} hjá ${name} ${isOne(count) ? 'er' : 'eru'} á leiðinni, það elsta síðan ${momentInWords(since)}`,
    details: 'Ekki er vitað til að neitt liggi niðri, en samt kemst það ekki á leiðarenda.',
    nextStep: `Skoðaðu það elsta: ledgerbridge documents --tenant ${command} --state posting,mapped,discovered`,
  }),
  SWEEP_FAILING: ({ kind, since, reason }, { name, command }) => ({
    title: `${KINDS[kind]} ${name} hefur ekki tekist að lesa síðan ${since === null ? 'félagið var tengt' : momentInWords(since)}`,
    details: `Í upprunakerfinu gætu beðið skjöl sem brúin hefur ekki séð. ${said(reason)}`,
    nextStep: `Athugaðu tenginguna: ledgerbridge tenant check ${command}`,
  }),
  SWEEP_OVERDUE: ({ since }, { name, command }) => ({
    title: `${name} hefur ekki verið lesið til enda síðan ${since === null ? 'það var tengt' : momentInWords(since)}`,
    details: 'Í upprunakerfinu gætu beðið skjöl sem brúin hefur ekki séð.',
    nextStep: `Athugaðu tenginguna: ledgerbridge tenant check ${command}; svo: ledgerbridge sweep ${command}`,
  }),
  TENANT_SILENT: ({ since, days }, { name, command }) => ({
    title: `${name} fær alltaf skjöl en hefur ekkert fengið síðan ${since}`,
    details: `Ný skjöl bárust ${days} af dögunum á undan.`,
    nextStep: `Athugaðu hvort fyrirtækið er lokað eða reikningnum var breytt: ledgerbridge tenant check ${command}`,
  }),
  REVERSAL_UNFINISHED: ({ kind, number, posting, key, since, isHalf }, { name }) => ({
    title: `Bakfærsla hjá ${name} var hafin en enginn lauk henni: ${BOOKED[kind]} ${number}`,
    details: isHalf
      ? `Önnur færslan af tveimur var bakfærð ${momentInWords(since)}, undir lyklinum ${key}; hin stendur enn í bókunum.`
      : `Hún var á leiðinni ${momentInWords(since)}, undir lyklinum ${key}; ekki er vitað hvort bókhaldskerfið bókaði hana.`,
    nextStep: isHalf
      ? `Bakfærðu aftur: ledgerbridge reverse ${posting}. Það sem er bakfært er ekki bakfært tvisvar.`
      : `Bakfærðu aftur þegar fimmtán mínútur eru liðnar frá því að hún hófst: ledgerbridge reverse ${posting}. Brúin leitar að þeirri fyrri áður en hún sendir aðra; ef ekki er hægt að leita í bókhaldskerfinu skaltu gá þar og bæta við --surely-absent ef hún er þar ekki.`,
  }),
  QUEUES_AWAY: ({ since, reason }) => ({
    title: `Ekki hefur náðst í Redis síðan ${momentInWords(since)}: engu er úthlutað`,
    details: `Biðraðirnar eru þar, svo að skjöl bíða. ${said(reason)}`,
    nextStep:
      'Ræstu Redis eða leiðréttu REDIS_URL: ledgerbridge doctor. Ekkert tapast; það heldur áfram sjálfkrafa.',
  }),
  TOKEN_ENDING: ({ id, name, endsAt }) => ({
    title: `API-lykillinn „${name}“ rennur út ${momentInWords(endsAt)}`,
    details: 'Eftir það er köllum með honum hafnað.',
    nextStep: `Búðu til nýjan (ledgerbridge token create), láttu þann sem kallar nota hann, og svo: ledgerbridge token revoke ${id}`,
  }),
  ORIGINALS_STORE_AWAY: ({ count, reason }) => ({
    title: 'Hvorki er hægt að skrifa í frumritageymsluna né lesa úr henni',
    details: `${count} frumrit ${wait(count)} á meðan; bókun bíður ekki. ${said(reason)}`,
    nextStep:
      'Athugaðu diskinn eða geymsluna: ledgerbridge doctor. Þau halda áfram sjálfkrafa þegar hún virkar.',
  }),
  OUTGOING_UNCONFIRMED: ({ count }, { name, command }) => ({
    title: `Það sem ${name} sendir inn í þjónustuna er óstaðfest: ${records(count)} ${wait(count)}`,
    details:
      'Enginn viðskiptavinur, reikningur eða önnur færsla er send fyrr en einhver hefur skoðað áætlunina.',
    nextStep: `Skoðaðu hana: ledgerbridge outgoing plan ${command}; svo: ledgerbridge outgoing confirm ${command}`,
  }),
  // Titillinn er stuttur: hann stendur í borða. Það sem þjónustan eða regla sagði getur verið langt.
  SUBMISSIONS_NEED_A_PERSON: ({ state, count, reason }, { name, command }) => ({
    title: `${records(count)} sem ${name} sendir inn í þjónustuna ${isOne(count) ? 'þarf' : 'þurfa'} manneskju`,
    details: `${count === 1 ? '' : 'Sú nýjasta: '}${say('is', reason)} ${cureText('is', reason.code)}`,
    nextStep: `Skoðaðu: ledgerbridge outgoing list --tenant ${command} --state ${state}`,
  }),
  INCIDENT_OPEN: ({ id, count, title, details, nextStep }) => ({
    title: count === 1 ? title : `${title} (og ${count - 1} í viðbót af sama tagi)`,
    details,
    nextStep: `${nextStep} Þegar það er afgreitt: ${count === 1 ? `ledgerbridge incidents resolve ${id}` : 'lokaðu hverju atviki, ledgerbridge incidents sýnir þau'}.`,
  }),
  NOTIFICATION_UNDELIVERED: ({ channel, count, reason }) => ({
    title: `${count === 1 ? 'Ein' : String(count)} skilaboð komust ekki til ${channel}`,
    details: `Sá sem les þar fékk ekki að vita. ${said(reason)}`,
    nextStep: 'Lagaðu heimilisfangið eða þjóninn og prófaðu: ledgerbridge notify test',
  }),
  AUDIT_NOT_ANCHORED: ({ path, reason, since }) => ({
    title: `Ekki tókst að skrifa stöðu ferilskrárinnar í ${path}`,
    details: `${since === null ? 'Það hefur aldrei tekist.' : `Það tókst síðast ${momentInWords(since)}.`} ${said(reason)}`,
    nextStep:
      'Losaðu pláss, tengdu diskinn eða settu skrána aftur á sinn stað úr afriti; svo er reynt aftur af sjálfu sér. Sé skráin endanlega glötuð er ný hafin með: touch',
  }),
};
