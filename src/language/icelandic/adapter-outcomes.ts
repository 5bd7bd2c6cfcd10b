// Hvað varð um færslu í bókhaldskerfi, og hverju munar á henni og því sem átti að bóka.
import type {
  ADAPTER_OUTCOMES as ENGLISH_ADAPTER_OUTCOMES,
  DescribedLine,
} from '../english/adapter-outcomes.js';
import type { Translated } from '../table.js';
import { named, within } from './systems.js';

const SIDES = { debit: 'debet', credit: 'kredit' } as const;
const lineText = ({ account, side, amount, currency, party, dimensions }: DescribedLine) =>
  [`${account} ${SIDES[side]} ${amount}`, currency, party && `við ${party}`, dimensions]
    .filter(Boolean)
    .join(' ');
const timesText = (times = 1) => (times === 1 ? '' : ` ${times} sinnum`);

export const ADAPTER_OUTCOMES = {
  SEVERAL_UNDER_KEY: ({ count }) =>
    `Bókhaldskerfið hefur ${count} færslur undir þessum lykli. Haltu einni og bakfærðu hinar.`,
  NOT_WHAT_WAS_SENT: ({ entry, differences }, say) =>
    `Bókhaldskerfið hefur færslu ${entry} undir þessum lykli, en hún er ekki það sem var sent: ${say(differences)}.`,
  DAYS_OPEN: ({ count }) =>
    count === 1 ? 'Bókunardagurinn er opinn.' : `Allir ${count} bókunardagarnir eru opnir.`,
  DAYS_CLOSED: ({ count, first, last, why }, say) =>
    `Ekki er hægt að bóka á ${count === 1 ? first : `${count} daga frá ${first} til ${last}`}. ${say(why)}`,
  DIFFERENCES: ({ each }, say) => each.map(say).join('; '),
  DATE_DIFFERS: ({ found, wanted }) => `bókunardagur er ${found} í stað ${wanted}`,
  LINE_MISSING: (line) => `vantar${timesText(line.times)}: ${lineText(line)}`,
  LINE_NOT_OURS: (line) => `ekki frá okkur${timesText(line.times)}: ${lineText(line)}`,
  ACCOUNT_DIFFERS: ({ account, found, wanted }) => `á lyklinum ${account} eru ${found} í stað ${wanted}`,
  ACCOUNT_NET_DIFFERS: ({ account, found, wanted }) =>
    `á lyklinum ${account} eru ${found} án VSK í stað ${wanted}`,
  KRONUR_DIFFER: ({ found, wanted }) => `${found} ISK í stað ${wanted}`,
  GROSS_DIFFERS: ({ found, wanted }) => `${found} með VSK í stað ${wanted}`,
  NOT_REVERSE_CHARGED: ({ vatCode }) =>
    `bókhaldskerfið lítur ekki á VSK-kóðann ${vatCode} sem öfuga skattskyldu`,
  REVERSE_VAT_DIFFERS: ({ found, wanted }) =>
    `${found} af VSK í skuld og frádrætti vegna öfugrar skattskyldu í stað ${wanted}`,
  VAT_ON_BOTH_SIDES: ({ found, wanted }) => `${found} af VSK beggja vegna í stað ${wanted}`,

  ALREADY_REVERSED: ({ entry }) =>
    `Færsla ${entry} hefur þegar verið bakfærð. Ekkert er eftir að taka til baka.`,
  OTHER_CONTENT: ({ key }) => `Lykillinn ${key} er í bókunum með öðru innihaldi.`,
  TAKES_NO_REVERSALS: () => 'Þessi tenging tekur ekki við bakfærslum. Bakfærðu færsluna í bókhaldskerfinu.',
  NO_ATTACHMENTS: () => 'Þessi tenging tekur ekki við viðhengjum.',
  NO_FILES_ON_JOURNALS: ({ system }) => `${named(system)} tekur ekki við skrám með dagbókarlínum.`,
  KEY_UNFIT: ({ key }) => `Þessar bækur geta ekki geymt lykilinn ${key}.`,

  NOT_SET_AGAINST: ({ system, entry, why }, say) =>
    `${named(system)} jafnaði ${entry} ekki á móti reikningi sínum: ${say(why)}`,
  CREATED_UNNAMED: ({ system }) => `${named(system)} stofnaði færslu án þess að segja hverja.`,
  DRAFT_NOT_READ: ({ system, id }) => `${named(system)} gerði drögin ${id}, en ekki tókst að lesa þau aftur.`,
  BOOKED_NOT_READ: ({ system, id }) =>
    `${named(system)} bókaði færsluna ${id}, en ekki tókst að lesa hana aftur.`,
  ANSWERED_WITHOUT_RESULT: ({ system }) => `${named(system)} svaraði án niðurstöðu.`,
  DRAFT_GONE: ({ system }) => `Drögin eru ekki lengur í ${within(system)}.`,

  READY_LEDGER: ({ company }) => `Bækur ${company} hafa allt sem þarf.`,
  READY_ACCOUNTS: ({ company, count }) => `${company} hefur alla ${count} lyklana, opna fyrir bókun.`,
  SUMS_DIFFER: ({ entry, document }) => `færslan hljóðar upp á ${entry}, skjalið upp á ${document}`,
  SUMS_NOT_COMPARED: ({ entry, document, isk, rate }) =>
    `færslan hljóðar upp á ${entry} og sýnir engan annan gjaldmiðil; skjalið hljóðar upp á ${document}, ${isk === undefined ? 'en ekkert gengi er þekkt' : `sem eru ${isk} ISK á genginu ${rate ?? ''}`}`,
  ENTRY_IS_OTHER: ({ entry, differences }, say) =>
    `Færsla ${entry} er ekki þetta skjal: ${say(differences)}.`,
  FOUND_UNDER_KEY: () => 'fannst undir lykli sínum',
  SLEPT_TOO_LONG: () => 'svaf fram yfir þá stund sem það mátti fara',
  LOOKED_ABSENT: () => 'starfsmaður leitaði: það er ekki í bókhaldskerfinu',
  IS_STILL_WORKING: () => 'bókhaldskerfið hefur það og er enn að vinna í því',
  WAITS_AS_DRAFT: () => 'bíður sem drög í bókhaldskerfinu',
} satisfies Translated<typeof ENGLISH_ADAPTER_OUTCOMES>;
