// Hvað er að gildi í stillingaskrá, og hvað væri rétt.
import type { Bound, DescribedIn, FILE_VALUES as english } from '../english/file-values.js';
import type { Translated } from '../table.js';

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
  tenants: 'docs/tenants.md og config/tenant.schema.json',
  mapping: 'docs/mapping.md',
  adapters: 'docs/adapters.md',
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
} satisfies Translated<typeof english>;
