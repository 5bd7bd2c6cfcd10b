// Security news in words: what happened, and what to do if nobody of us did it.
import type { SecurityNews } from '../domain/security-news.js';
import type { ConditionText } from './conditions/condition-text.js';
import type { Language } from './say.js';

type Words = {
  readonly [Code in SecurityNews['code']]: (news: Extract<SecurityNews, { code: Code }>) => ConditionText;
};

const NAMED_MAX = 5;

function named(companies: readonly string[], all: string, more: (count: number) => string): string {
  if (companies.length === 0) return all;
  const shown = companies.slice(0, NAMED_MAX).join(', ');
  return companies.length > NAMED_MAX ? `${shown} ${more(companies.length - NAMED_MAX)}` : shown;
}

const inEnglish = (companies: readonly string[]) =>
  named(companies, 'all companies', (count) => `and ${String(count)} more`);
const inIcelandic = (companies: readonly string[]) =>
  named(companies, 'öll', (count) => `og ${String(count)} í viðbót`);

const ROLES_IS: Readonly<Record<string, string>> = {
  viewer: 'áhorfandi',
  operator: 'umsjón',
  admin: 'stjórnandi',
};

export const SECURITY_WORDS: Readonly<Record<Language, Words>> = {
  en: {
    ACCOUNT_LOCKED: ({ login, tries }) => ({
      title: `The account ${login} was locked`,
      details: `${String(tries)} wrong passwords or codes in a row. It opens again by itself.`,
      nextStep: `Ask ${login} whether it was them. If not, look at the failed sign-ins: ledgerbridge audit --actor ${login}`,
    }),
    ADMIN_MADE: ({ login, by, companies }) => ({
      title: `${login} is an admin now`,
      details: `${by} gave the role. Companies: ${inEnglish(companies)}.`,
      nextStep: `If nobody asked for it, take the role away under People and tokens, or: ledgerbridge user revoke ${login}`,
    }),
    TOKEN_MADE: ({ name, role, companies, by }) => ({
      title: `An API token was made: ${name}`,
      details: `${by} made it. Role: ${role}. Companies: ${inEnglish(companies)}.`,
      nextStep:
        'If nobody asked for it, revoke it under People and tokens, or: ledgerbridge token revoke <id>',
    }),
    SECOND_FACTOR_OFF: ({ login, by }) => ({
      title: `${login} has no second factor any more`,
      details: `${by === login ? 'They turned it off themselves' : `${by} took it away`}. The password alone lets them in.`,
      nextStep: `Ask ${login} whether they know of it, and to turn it on again under My account.`,
    }),
  },
  is: {
    ACCOUNT_LOCKED: ({ login, tries }) => ({
      title: `Aðgangi ${login} var læst`,
      details: `Röng lykilorð eða kóðar: ${String(tries)} í röð. Aðgangurinn opnast aftur af sjálfu sér.`,
      nextStep: `Spyrðu hvort ${login} hafi verið að verki. Ef ekki skaltu skoða misheppnaðar innskráningar: ledgerbridge audit --actor ${login}`,
    }),
    ADMIN_MADE: ({ login, by, companies }) => ({
      title: `${login} er nú stjórnandi`,
      details: `${by} veitti hlutverkið. Félög: ${inIcelandic(companies)}.`,
      nextStep: `Ef enginn bað um það skaltu taka hlutverkið af undir Fólk og lyklar, eða: ledgerbridge user revoke ${login}`,
    }),
    TOKEN_MADE: ({ name, role, companies, by }) => ({
      title: `Nýr lykill að API: ${name}`,
      details: `${by} bjó hann til. Hlutverk: ${ROLES_IS[role] ?? role}. Félög: ${inIcelandic(companies)}.`,
      nextStep:
        'Ef enginn bað um hann skaltu afturkalla hann undir Fólk og lyklar, eða: ledgerbridge token revoke <id>',
    }),
    SECOND_FACTOR_OFF: ({ login, by }) => ({
      title: `Tveggja þrepa auðkenning er ekki lengur hjá ${login}`,
      details: `${by === login ? 'Eigandi aðgangsins slökkti á henni' : `${by} tók hana af`}. Lykilorðið eitt hleypir viðkomandi inn.`,
      nextStep: `Spyrðu hvort ${login} viti af þessu og biddu um að kveikt verði aftur undir Mínar stillingar.`,
    }),
  },
};

export function securityText(language: Language, news: SecurityNews): ConditionText {
  const words = SECURITY_WORDS[language][news.code] as (about: SecurityNews) => ConditionText;
  return words(news);
}
