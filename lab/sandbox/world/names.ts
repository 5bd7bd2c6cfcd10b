// Names of people and companies. People have patronymics that follow their parent's name; companies are made up.
import type { Random } from '../random.js';
import { happens, pick, between } from './working-days.js';
import { checkDigit } from '../kennitala.js';

const WOMEN = [
  ...[
    'Anna',
    'Guðrún',
    'Kristín',
    'Margrét',
    'Sigríður',
    'Helga',
    'Ingibjörg',
    'Ragnheiður',
    'Þórdís',
    'Ásdís',
  ],
  ...[
    'Birna',
    'Edda',
    'Elín',
    'Eyrún',
    'Freyja',
    'Hildur',
    'Hrafnhildur',
    'Katrín',
    'Lilja',
    'María',
    'Ólöf',
  ],
  ...['Rakel', 'Sólveig', 'Steinunn', 'Unnur', 'Valgerður', 'Védís', 'Þóra', 'Æsa', 'Álfrún'],
];
const MEN = [
  ...['Jón', 'Sigurður', 'Guðmundur', 'Gunnar', 'Ólafur', 'Einar', 'Kristján', 'Magnús', 'Stefán', 'Bjarni'],
  ...[
    'Árni',
    'Ásgeir',
    'Baldur',
    'Björn',
    'Davíð',
    'Egill',
    'Eiríkur',
    'Friðrik',
    'Hákon',
    'Halldór',
    'Ívar',
  ],
  ...['Kári', 'Óðinn', 'Páll', 'Ragnar', 'Skúli', 'Tómas', 'Úlfar', 'Þorsteinn', 'Þröstur', 'Ægir', 'Örn'],
];
/** Genitives: whose child. */
const PARENTS = [
  ...[
    'Jóns',
    'Sigurðar',
    'Guðmundar',
    'Gunnars',
    'Ólafs',
    'Einars',
    'Kristjáns',
    'Magnúsar',
    'Stefáns',
    'Bjarna',
  ],
  ...['Árna', 'Ásgeirs', 'Björns', 'Davíðs', 'Eiríks', 'Halldórs', 'Páls', 'Ragnars', 'Þorsteins', 'Arnar'],
  ...['Guðrúnar', 'Helgu', 'Önnu', 'Katrínar', 'Sólveigar'],
];

const FIRST_PARTS = [
  ...[
    'Fjalla',
    'Norður',
    'Suður',
    'Vestur',
    'Austur',
    'Haf',
    'Jökul',
    'Eld',
    'Grá',
    'Blá',
    'Hvít',
    'Mjall',
    'Stein',
  ],
  ...[
    'Sól',
    'Vatna',
    'Sjávar',
    'Dal',
    'Hraun',
    'Birki',
    'Lyng',
    'Kletta',
    'Heiðar',
    'Þoku',
    'Öldu',
    'Æðar',
    'Vörðu',
  ],
];
const LAST_PARTS = [
  ...[
    'sýn',
    'brún',
    'tindur',
    'vík',
    'nes',
    'bakki',
    'hlíð',
    'borg',
    'lind',
    'foss',
    'garður',
    'holt',
    'land',
    'björg',
  ],
  ...['höfði', 'tún', 'vellir', 'vogur', 'rós', 'spor', 'stoð', 'verk', 'þing', 'ás'],
];
const FORMS = ['ehf.', 'ehf.', 'ehf.', 'ehf.', 'ehf.', 'hf.', 'slf.'];

export function personName(random: Random): string {
  const woman = happens(random, 0.5);
  const first = pick(random, woman ? WOMEN : MEN);
  const middle = happens(random, 0.35) ? ` ${pick(random, woman ? WOMEN : MEN)}` : '';
  return `${first}${middle} ${pick(random, PARENTS)}${woman ? 'dóttir' : 'son'}`;
}

/** Some six hundred stems; with a kind of business in front or behind where it is given. */
export function companyName(random: Random, business?: string): string {
  const stem = `${pick(random, FIRST_PARTS)}${pick(random, LAST_PARTS)}`;
  const name = business === undefined ? stem : `${business} ${stem}`;
  return `${name} ${pick(random, FORMS)}`;
}

const FOREIGN = ['Nordlys', 'Harbour', 'Kestrel', 'Lumen', 'Brightwater', 'Osprey', 'Fjordline', 'Aldgate'];
const FOREIGN_FORMS: Readonly<Record<string, string>> = {
  EUR: 'GmbH',
  USD: 'Inc.',
  GBP: 'Ltd.',
  DKK: 'ApS',
  NOK: 'AS',
  SEK: 'AB',
};

export function foreignCompanyName(random: Random, currency: string): string {
  return `${pick(random, FOREIGN)} ${pick(random, ['Travel', 'Trading', 'Systems', 'Media', 'Foods'])} ${FOREIGN_FORMS[currency] ?? 'Ltd.'}`;
}

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ á: 'a', é: 'e', í: 'i', ó: 'o', ú: 'u', ý: 'y', ö: 'o' },
  ...{ þ: 'th', ð: 'd', æ: 'ae' },
};

/** For addresses and user names: "Þröstur Örn" becomes throstur-orn. */
export function plainLetters(name: string): string {
  return name
    .toLowerCase()
    .replace(/[áéíóúýöþðæ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

// Postal codes with their places, and street names that could be anywhere in Iceland.

export const PLACES: readonly (readonly [zip: string, city: string])[] = [
  ['101', 'Reykjavík'],
  ['104', 'Reykjavík'],
  ['105', 'Reykjavík'],
  ['107', 'Reykjavík'],
  ['108', 'Reykjavík'],
  ['109', 'Reykjavík'],
  ['110', 'Reykjavík'],
  ['112', 'Reykjavík'],
  ['113', 'Reykjavík'],
  ['170', 'Seltjarnarnes'],
  ['200', 'Kópavogur'],
  ['201', 'Kópavogur'],
  ['210', 'Garðabær'],
  ['220', 'Hafnarfjörður'],
  ['221', 'Hafnarfjörður'],
  ['230', 'Reykjanesbær'],
  ['240', 'Grindavík'],
  ['270', 'Mosfellsbær'],
  ['300', 'Akranes'],
  ['310', 'Borgarnes'],
  ['340', 'Stykkishólmur'],
  ['400', 'Ísafjörður'],
  ['415', 'Bolungarvík'],
  ['540', 'Blönduós'],
  ['550', 'Sauðárkrókur'],
  ['580', 'Siglufjörður'],
  ['600', 'Akureyri'],
  ['603', 'Akureyri'],
  ['640', 'Húsavík'],
  ['700', 'Egilsstaðir'],
  ['710', 'Seyðisfjörður'],
  ['730', 'Reyðarfjörður'],
  ['780', 'Höfn í Hornafirði'],
  ['800', 'Selfoss'],
  ['810', 'Hveragerði'],
  ['850', 'Hella'],
  ['870', 'Vík'],
  ['900', 'Vestmannaeyjar'],
];

export const STREETS: readonly string[] = [
  ...['Aðalgata', 'Austurvegur', 'Ármúli', 'Álfheimar', 'Bíldshöfði', 'Borgartún', 'Brautarholt', 'Dalvegur'],
  ...['Eyravegur', 'Fiskislóð', 'Garðatorg', 'Glerárgata', 'Grensásvegur', 'Hafnargata', 'Hafnarstræti'],
  ...['Hamraborg', 'Hlíðasmári', 'Hverfisgata', 'Höfðabakki', 'Kirkjubraut', 'Klapparstígur', 'Kringlan'],
  ...['Laugavegur', 'Lyngháls', 'Miðvangur', 'Nýbýlavegur', 'Óseyri', 'Reykjavíkurvegur', 'Skeifan'],
  ...[
    'Skipholt',
    'Skólavörðustígur',
    'Smiðjuvegur',
    'Strandgata',
    'Suðurlandsbraut',
    'Síðumúli',
    'Tryggvagata',
  ],
  ...['Urðarhvarf', 'Vesturgata', 'Þingvallastræti', 'Ögurhvarf'],
];

// Kennitölur that pass the checksum: six digits of a date (companies: day + 40), two of a serial, check digit, century.

const SERIALS_TRIED_MAX = 200;

export function companyKennitala(random: Random): string {
  return kennitala(random, between(random, 41, 68), between(random, 1969, 2024));
}

export function personKennitala(random: Random): string {
  return kennitala(random, between(random, 1, 28), between(random, 1945, 2004));
}

/** Well-formed, but the check digit is wrong. */
export function withWrongCheckDigit(valid: string): string {
  return `${valid.slice(0, 8)}${(Number(valid[8]) + 1) % 10}${valid.slice(9)}`;
}

/** One serial in eleven has no check digit and was never given to anybody, so the next is tried. */
function kennitala(random: Random, day: number, year: number): string {
  const date = [day, between(random, 1, 12), year % 100]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  for (let tried = 0; tried < SERIALS_TRIED_MAX; tried++) {
    const firstEight = date + String(between(random, 20, 99));
    const digit = checkDigit(firstEight);
    if (digit !== null) return `${firstEight}${digit}${year < 2000 ? 9 : 0}`;
  }
  throw new RangeError(`No serial of ${date} has a check digit.`);
}
