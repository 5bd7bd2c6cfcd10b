// Hvernig félag stendur, og hvað skjöl þess bíða eftir.
import { momentInWords } from '../../domain/local-time.js';
import { writtenNumber } from '../../domain/text.js';
import type {
  TENANTS as ENGLISH_TENANTS,
  FILE_SYNTAX as ENGLISH_FILE_SYNTAX,
  Bound,
  DescribedIn,
  FILE_VALUES as ENGLISH_FILE_VALUES,
} from '../english/tenants.js';
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
} satisfies Translated<typeof ENGLISH_TENANTS>;

// Hvers vegna ekki er hægt að lesa stillingaskrá, og hvað væri rétt.

export const FILE_SYNTAX = {
  FILE_UNREADABLE: ({ reason }) => `Ekki er hægt að lesa skrána (${reason}).`,
  SETTINGS_NO_FILE: () =>
    'Þetta er ekki skrá: það er pípa, tæki eða tengill í skrá annars staðar sem ekki allir mega lesa.',
  PUT_FILE_THERE: () => 'Settu skrána sjálfa þangað eða láttu tengilinn vísa í skrá í sömu möppu.',
  CHECK_THE_FILE: () => 'Gáðu hvort hún er til og hver má lesa hana.',
  FILE_REFUSED: ({ problems }, say) => problems.map(say).join(' '),
  SETTINGS_TOO_LARGE: ({ kibibytes }) => `Skráin er stærri en ${kibibytes} KiB.`,
  MOVE_SHARED_RULES: () => 'Færðu sameiginlegar reglur í eigin skrá og nefndu hana undir rules.extends.',
  FILE_NO_UTF8: () => 'Skráin er ekki texti í UTF-8.',
  SAVE_AS_UTF8: () => 'Vistaðu hana aftur með kóðuninni UTF-8.',
  SETTINGS_EMPTY: () => 'Skráin er tóm.',
  WRITE_A_STARTER: () => 'Skrifaðu fyrstu gerð með `ledgerbridge tenant init <name>`.',
  TENANT_FILE_NO_GROUP: () => 'Félagsskrá á að vera safn lykla og gilda.',
  BEGIN_WITH_NAME: () => 'Byrjaðu á name: og title:; `ledgerbridge tenant init <name>` skrifar fyrstu gerð.',
  RULES_FILE_NO_GROUP: () => 'Regluskrá á að vera safn lykla og gilda.',
  BEGIN_WITH_RULES: () => 'Byrjaðu á lyklum eins og accounts: eða cost:.',

  SECRET_OF_THE_BRIDGE: ({ reference }) =>
    `${reference} er leyndarmál brúarinnar sjálfrar. Gefðu félaginu sitt eigið leyndarmál.`,
  SECRET_UNNAMED: () => 'Leyndarmál á að nefna sem env:NAFN eða file:slóð.',
  SECRET_NOT_SET: ({ reference }) => `Leyndarmálið ${reference} er ekki í umhverfisbreytunum.`,
  SECRET_NO_FILE: ({ reference }) => `Leyndarmálið ${reference} er ekki skrá.`,
  SECRET_TOO_LARGE: ({ reference }) => `Skráin ${reference} er of stór.`,
  SECRET_UNREADABLE: ({ reference, reason }) => `Ekki er hægt að lesa leyndarmálið ${reference} (${reason}).`,
  SECRET_EMPTY: ({ reference }) => `Skráin ${reference} er tóm.`,

  TAB_INDENT: () => 'Línan er inndregin með dálkmerki.',
  INDENT_WITH_SPACES: () => 'Dragðu inn með bilum, tveimur fyrir hvert þrep.',
  BAD_INDENT: () => 'Inndrátturinn passar ekki við línurnar fyrir ofan.',
  LINE_KEYS_UP: () => 'Láttu lykla á sama þrepi standa hvern undir öðrum, tvö bil fyrir hvert þrep.',
  MANY_DOCUMENTS: () => 'Í skránni eru fleiri en eitt skjal (línan `---` í miðjunni).',
  ONE_TENANT_A_FILE: () => 'Hafðu eitt félag í hverri skrá.',
  VALUE_RUNS_ON: () => 'Gildi heldur áfram þar sem nýr lykill byrjar.',
  A_LINE_EACH: () =>
    'Hafðu hvert `lykill: gildi` á eigin línu, og texta sem hefur „: “ í sér innan gæsalappa.',
  KEY_RUNS_ON: () => 'Lykill nær yfir margar línur, eða „:“ vantar.',
  ON_ONE_LINE: () => 'Skrifaðu `lykill: gildi` á eina línu.',
  BAD_FIRST_SIGN: () => 'Gildið byrjar á tákni sem hefur aðra merkingu í YAML.',
  PUT_VALUE_IN_QUOTES: () => 'Settu gildið innan gæsalappa.',
  YAML_TAG: () => 'Gildið ber YAML-merki (!…) sem hefur enga merkingu hér.',
  REMOVE_THE_TAG: () => 'Taktu merkið burt, eða settu gildið innan gæsalappa.',
  KEY_TWICE: ({ key }) => `Lykillinn „${key}“ stendur hér tvisvar.`,
  KEEP_ONE_KEY: () => 'Haltu öðrum þeirra.',
  QUOTE_NOT_CLOSED: () => 'Gæsalöppum er aldrei lokað.',
  ADD_THE_QUOTE: () => 'Bættu við gæsalöppinni sem vantar.',
  BRACKET_NOT_CLOSED: () => 'Sviga er aldrei lokað, eða kommu vantar.',
  CLOSE_THE_BRACKET: () => 'Lokaðu sviganum, eða skrifaðu eitt atriði í hverja línu með „- “.',
  STAR_FIRST: () => 'Gildið byrjar á stjörnu, sem er tilvísun í YAML.',
  QUOTE_THE_STAR: () => "Settu það innan gæsalappa, t.d. cron: '*/5 * * * *'.",
  NO_YAML: () => 'Þetta er ekki gilt YAML.',
  LOOK_FOR_A_SIGN: () =>
    'Leitaðu að tvípunkti, gæsalöpp eða sviga sem vantar í þessari línu eða þeirri fyrir ofan.',
  ALIASES_MULTIPLY: () => 'Tilvísanir í skránni margfalda hana úr hófi.',
  WRITE_VALUES_OUT: () => 'Skrifaðu gildin sjálf.',
  NESTED_TOO_DEEP: ({ levels }) => `Þrepin í skránni eru fleiri en ${levels}.`,
  FLATTEN_IT: () => 'Hafðu þau færri; engin stilling stendur svo djúpt.',
  ALIAS_UNKNOWN: ({ alias }) => `Tilvísunin *${alias} bendir á nafn sem er ekki til.`,
  QUOTE_IF_STAR_MEANT: () => 'Settu textann innan gæsalappa hafi stjarna verið meint.',
  KEY_NO_TEXT: () => 'Lykill á að vera venjulegur texti.',
  KEY_NOT_ALLOWED: ({ key }) => `Lykillinn „${key}“ má ekki vera hér.`,
  REMOVE_OR_WRITE_PLAIN: () => 'Taktu hann burt eða skrifaðu hann sem venjulegan texta.',
} satisfies Translated<typeof ENGLISH_FILE_SYNTAX>;

// Hvað er að gildi í stillingaskrá, og hvað væri rétt.

const TYPES: Readonly<Record<string, string>> = {
  string: 'texti',
  number: 'tala',
  int: 'heil tala',
  fraction: 'brot',
  boolean: 'true eða false',
  object: 'safn lykla',
  record: 'safn lykla',
  array: 'listi',
};
const typeName = (type: string) => TYPES[type] ?? type;

const UNITS: Readonly<Record<string, string>> = { string: ' stafir', array: ' atriði' };

const BOUNDS: Readonly<Record<Bound, string>> = {
  'at-least': 'minnst',
  'more-than': 'meira en',
  'at-most': 'mest',
};

const PAGES: Readonly<Record<DescribedIn, string>> = {
  tenants: 'docs/reference/tenants.md og config/tenant.schema.json',
  mapping: 'docs/reference/mapping.md',
  adapters: 'docs/reference/adapters.md',
};

export const FILE_VALUES = {
  KEY_MISSING: ({ key }) => `„${key}“ vantar.`,
  ADD_IT: ({ described }, say) => `Bættu því við. ${say(described)}`,
  ADD_ONE_OF: ({ values }) => `Bættu því við, einu af: ${values}.`,
  DESCRIBED: ({ page }) => `Hvað á að standa þar er í ${PAGES[page]}.`,
  KEY_UNKNOWN: ({ key }) => `Óþekktur lykill: „${key}“.`,
  KNOWN_KEYS: ({ keys }) => `Þekktir hér: ${keys}.`,
  DID_YOU_MEAN: ({ near }) => `Áttirðu við „${near}“?`,
  SECRET_NOT_NAMED: ({ key }) => `„${key}“ á að nefna leyndarmál, ekki geyma það.`,
  NAME_THE_SECRET: () =>
    'Skrifaðu env:NAFN eða file:slóð, og skiptu um leyndarmálið hafi það nokkurn tíma verið vistað hér.',
  MAINTENANCE_CODE_MISPLACED: () => 'Viðhaldskóða má aldrei senda á raunumhverfið.',
  REMOVE_MAINTENANCE_CODE: () => 'Taktu maintenanceCode burt, eða settu environment: development.',
  TYPE_UNFIT: ({ expected, found }) => `Hér á að vera ${typeName(expected)}, en er ${typeName(found)}.`,
  PUT_IN_QUOTES: ({ written = '' }) =>
    written === '' ? 'Settu það innan gæsalappa.' : `Settu það innan gæsalappa: "${written}".`,
  VALUE_NOT_OF: ({ key, value }) =>
    `${value === undefined ? 'Þetta' : `„${value}“`} er ekki gildi sem „${key}“ getur haft.`,
  USE_ONE_OF: ({ values }) => `Notaðu eitt af: ${values}.`,
  NO_DATE: ({ key }) => `„${key}“ er ekki dagsetning.`,
  WRITE_A_DATE: () => 'Skrifaðu hana sem ÁÁÁÁ-MM-DD, t.d. 2026-01-31.',
  NO_EMAIL: ({ key }) => `„${key}“ er ekki netfang.`,
  SIZE_UNFIT: ({ key, bound, limit, of }) =>
    `„${key}“ á að vera ${BOUNDS[bound]} ${limit}${UNITS[of] ?? ''}.`,
  FITS_NO_FORM: ({ forms }, say) =>
    `Þetta er á engu af leyfilegum sniðum: ${forms.map((form) => say(form).replace(/\.$/, '')).join('; eða ')}.`,
  NOT_FILLED_IN: ({ key }) => `„${key}“ hefur ekki verið fyllt út.`,
  WRITE_THERE: () => 'Skrifaðu gildið þar sem <…> stendur nú.',

  ADAPTER_UNKNOWN: ({ name }) => `Engin tenging við bókhaldskerfi heitir „${name}“.`,
  ADAPTERS_KNOWN: ({ names }) =>
    `Þekktar: ${names}; eða nafn á pakka með forskeyti, t.d. @acme/ledgerbridge-erp.`,
  RULES_UNKNOWN: ({ name }) => `Engar reglur sem fylgja heita „${name}“.`,
  RULES_KNOWN: ({ names, name }) =>
    `Þessar fylgja: ${names}. Eigin skrá þarf að hafa endingu: ./${name}.yaml.`,
  RULES_FILE_MISSING: ({ name }) => `Regluskráin „${name}“ er ekki til.`,
  PATHS_START_HERE: () => 'Slóðir byrja í möppu félagsskrárinnar.',

  NO_CRON: ({ cron }) => `„${cron}“ er ekki cron-segð.`,
  WRITE_CRON: () => "Skrifaðu fimm reiti, t.d. '*/5 * * * *' (á fimm mínútna fresti).",
  NO_TIME_ZONE: ({ name }) => `„${name}“ er ekki tímabelti.`,
  WRITE_TIME_ZONE: () => 'Notaðu IANA-nafn, t.d. Atlantic/Reykjavik.',
  AGENT_ID_ALONE: () => 'agentId hefur aðeins merkingu með surface: agent.',
  ADD_SURFACE: () => 'Bættu við surface: agent, eða taktu agentId burt.',
  FIELD_WINS_TWICE: ({ field }) => `„${field}“ er líka í serviceWins.`,
  NAME_IN_ONE_LIST: () => 'Nefndu hann í öðrum listanum, eða hvorugum.',
  ORIGIN_TWICE: ({ name }) => `Annar uppruni heitir líka „${name}“.`,
  FOLDER_WATCHED_TWICE: ({ origin, file }) =>
    `Uppruninn ${origin}${file === '' ? '' : ` í ${file}`} vaktar þessa möppu líka.`,
  FOLDER_OF_ITS_OWN: () => 'Gefðu hverjum uppruna sína eigin möppu: það sem er í henni færi út fyrir báða.',
  SALE_GOES_TWICE: ({ hands }) =>
    `Með ${hands} saman fer hver sala tvisvar út: bókhaldskerfið gerir eitt úr öðru.`,
  HAND_OVER_ONE: () => 'Afhentu annað þeirra; tilboð mega fylgja sem tilboð.',
  FILES_WITH_NOTHING: () =>
    'Skrár fylgja aðeins reikningum og ekkert sem þessi uppruni afhendir verður að reikningi.',
  FILES_BY_CREDENTIALS: () =>
    'Á agent-hlið þjónustunnar er ekki hægt að hlaða upp skrám, svo að hverjum reikningi með skrá yrði hafnað.',
  TAKE_FILES_OUT: ({ key }) => `Taktu ${key} út eða skráðu inn með type: credentials á credential-hliðinni.`,
  ORDERS_AS_INVOICES: () => 'Taktu embedded út eða segðu orders: invoice.',
  HAND_OVER_INVOICES: () => 'Taktu files út eða afhentu reikninga, eða pantanir með orders: invoice.',
  ITEMS_WITHOUT_VAT_GROUPS: () =>
    'Vörur í Business Central nefna bókunarflokk; hvaða VSK það er þarf að segja.',
  NAME_VAT_GROUPS: () => 'Bættu við vatGroups, t.d. { VSK24: S, VSK11: AA }.',
  VAT_GROUPS_UNUSED: ({ adapter }) =>
    `vatGroups eru fyrir vörur í Business Central; ekkert í ${adapter} er lesið eftir þeim hér.`,
  TAKE_OUT_VAT_GROUPS: () => 'Taktu vatGroups burt, eða bættu items við hands.',
  NAME_ORIGINS_APART: () => 'Gefðu hverjum uppruna sitt nafn.',
  NO_ADDRESS: () => 'Þetta er ekki slóð.',
  WRITE_ADDRESS: () => 'Skrifaðu hana alla, t.d. https://invoicing.example.',
  ADDRESS_WITH_PASSWORD: () => 'Í slóðinni er notandanafn eða lykilorð.',
  TAKE_PASSWORD_OUT: () =>
    'Taktu það úr slóðinni; leyndarmál eru nefnd með tilvísun (env:NAFN eða file:slóð).',
  ADDRESS_REFUSED: () =>
    'Þessu vistfangi er hafnað: það er staðbundið (link-local), eða á einkaneti og brúin hafnar einkanetum.',
  WRITE_PUBLIC_ADDRESS: () =>
    'Skrifaðu opinbert vistfang þjónustunnar; LEDGERBRIDGE_PRIVATE_ADDRESSES ræður um einkanet.',
  ADDRESS_WITH_FRAGMENT: () => 'Í slóðinni er #brot.',
  ADDRESS_WITH_QUERY: () => 'Í slóðinni er ?fyrirspurn.',
  END_ADDRESS_BEFORE: ({ sign }) => `Endaðu slóðina á undan ${sign}.`,
  ADDRESS_IN_THE_CLEAR: () => 'Með http færi aðgangurinn ódulkóðaður yfir netið.',
  USE_HTTPS: ({ host }) =>
    `Notaðu https://${host}; http er aðeins leyft fyrir localhost, 127.0.0.1 og [::1].`,
  ADDRESS_WITH_API: () => 'Í slóðinni má ekki vera /api/v1.',
  WRITE_ADDRESS_AS: ({ address }) => `Skrifaðu ${address}; brúin bætir hinu við.`,
  ADDRESS_NOT_HTTPS: () => 'Slóðin þarf að byrja á https.',
  WRITE_HTTPS: ({ host }) => `Skrifaðu https://${host}…`,
} satisfies Translated<typeof ENGLISH_FILE_VALUES>;
