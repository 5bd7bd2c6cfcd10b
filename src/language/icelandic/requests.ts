// Hvað er að því sem beðið var um, á okkar máli.
import type { REQUESTS as ENGLISH } from '../english/requests.js';
import type { Translated } from '../table.js';

const KINDS: Readonly<Record<string, string>> = { invoice: 'reikninga', cost: 'kostnað' };

export const REQUESTS = {
  TOO_MANY_FIT: () =>
    'Of mörg skjöl passa við þennan texta til að telja þau öll upp. Skrifaðu meira af nafninu eða númerinu.',
  SEARCH_UNUSABLE: ({ where }) => `Ekki er hægt að leita svona: ${where} er ekki gilt.`,
  NO_SUCH_PERIOD: ({ written }) =>
    `„${written}“ er ekki tímabil: skrifaðu 2026-09..10, 2026-09, 2026 eða 2026-09-01..2026-10-31.`,
  NO_FILE_OF_TENANT: ({ tenant }) => `Engin félagsskrá er til fyrir ${tenant}.`,
  TOO_MANY_COMPANIES: ({ most }) => `Nefndu í mesta lagi ${most} félög.`,
  NO_SUCH_ROLE: ({ role, company }) =>
    `„${role}“ er ekki hlutverk: skrifaðu ${company}=viewer, ${company}=operator eða ${company}=admin.`,
  NO_SUCH_DAY: ({ written }) => `„${written}“ er ekki dagur eins og 2026-01-31.`,
  TOKEN_NAME_UNFIT: () =>
    'Nefndu aðgangslykilinn eftir þeim sem notar hann: 1 til 60 bókstafir, tölustafir, bil, . _ -',
  TOKEN_LIFE_UNFIT: ({ most }) => `Aðgangslykill gildir í 1 til ${most} daga.`,
  TOKEN_WITHOUT_COMPANY: () => 'Nefndu að minnsta kosti eitt félag, eða ekkert fyrir þau öll.',
  CHOOSE_BETWEEN: ({ most }) => `Nefndu milli 1 og ${most} skjala.`,
  PERIOD_UNFIT: () => 'Gefðu upp mánuð (2026-10), ár (2026) eða tvo daga, þann fyrri á undan.',
  STILL_SAYS: ({ status, answer }) =>
    `Upprunakerfið segir enn ${status}${answer === undefined ? '' : `: „${answer}“`}.`,
  COST_GONE: ({ outcome }) =>
    outcome === 'gone'
      ? 'Kostnaðurinn er ekki lengur í upprunanum.'
      : 'Kostnaðurinn er ólæsilegur í upprunanum.',
  HLEDGER_TAKES_JOURNALS: () => 'hledger tekur dagbókarfærslur; bókanir fara sem csv eða json.',
  NO_SUCH_ACT: ({ act }) => `Engin aðgerð heitir „${act}“.`,
  FILE_CHANGED_MEANWHILE: ({ file }) => `${file} var breytt á meðan.`,
  FILE_SAVED_NOW: ({ file }) => `Einhver annar er að vista ${file} á þessari stundu.`,
  FILE_NOT_WRITABLE: ({ file, code }) => `Ekki er hægt að skrifa ${file} hér (${code}).`,
  TENANT_NOT_LOADED: ({ name }) => `Félagið ${name} er ekki virkt hér.`,
  NO_CURSOR_YET: ({ tenant, kind }) =>
    `${tenant} hefur engan bendil enn fyrir ${KINDS[kind] ?? kind}: sæktu fyrst.`,
} satisfies Translated<typeof ENGLISH>;
