// Names of people and companies. People have patronymics that follow their parent's name; companies are made up.
import type { Random } from '../random.js';
import { happens, pick } from './chance.js';

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
