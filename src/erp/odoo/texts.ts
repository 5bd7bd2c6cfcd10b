// What is said of Odoo alone, in both languages.
import { quoted, type TextTable, type Translated } from '../texts.js';

export const ODOO_ENGLISH = {
  ODOO_REFUSED_KEY: ({ answer }: { answer: string }) =>
    `Odoo refused the key (${answer}). Check that it has not expired.`,
  ODOO_REFUSED_RIGHT: ({ answer }: { answer: string }) =>
    `Odoo refused the key or the right (${answer}). Check that the key has not expired and what its user may do.`,
  ODOO_REFUSED_USER: ({ user, database }: { user?: string | undefined; database: string }) =>
    `Odoo refused ${user ?? 'the user'} on database ${database}. Check the name and the API key.`,
  ODOO_CONFLICT: ({ answer }: { answer: string }) => `Odoo was busy with something else: ${answer}`,
  VAT_CODE_WITHOUT_TAX: ({ vatCode }: { vatCode: string }) =>
    `The VAT code ${vatCode} has no tax in Odoo, or more than one of that name. Name it under \`taxes\`.`,
  PARTNER_NOT_MADE: ({ answer }: { answer: string }) => `Odoo did not create the partner: ${answer}`,
  PARTNER_CHANGED: ({ kennitala, id }: { kennitala: string; id: string }) =>
    `The bridge has created a partner for kennitala ${kennitala} in Odoo before (external id ${id}), but it is archived now or has another number. Correct it there.`,
  KEY_LIFE_UNKNOWN: () =>
    'Odoo API keys live three months at most, and `apiKeyExpires` does not say until when.',
  KEY_EXPIRES: ({ day }: { day: string }) => `The Odoo API key expires on ${day}.`,
} satisfies TextTable;

export const ODOO_ICELANDIC = {
  ODOO_REFUSED_KEY: ({ answer }) =>
    `Odoo hafnaði lyklinum (${quoted(answer)}). Athugaðu að hann sé ekki útrunninn.`,
  ODOO_REFUSED_RIGHT: ({ answer }) =>
    `Odoo hafnaði lyklinum eða heimildinni (${quoted(answer)}). Athugaðu að lykillinn sé ekki útrunninn og hvað notandi hans má.`,
  ODOO_REFUSED_USER: ({ user, database }) =>
    `Odoo hafnaði ${user ?? 'notandanum'} á gagnagrunninum ${database}. Athugaðu nafnið og API-lykilinn.`,
  ODOO_CONFLICT: ({ answer }) => `Odoo var upptekið við annað: ${quoted(answer)}`,
  VAT_CODE_WITHOUT_TAX: ({ vatCode }) =>
    `VSK-kóðinn ${vatCode} á sér engan skatt í Odoo, eða fleiri en einn með því nafni. Nefndu hann undir \`taxes\`.`,
  PARTNER_NOT_MADE: ({ answer }) => `Odoo stofnaði ekki mótaðilann: ${quoted(answer)}`,
  PARTNER_CHANGED: ({ kennitala, id }) =>
    `Brúin hefur áður stofnað mótaðila með kennitöluna ${kennitala} í Odoo (ytra auðkenni ${id}), en hann er nú geymdur eða með annað númer. Leiðréttu það þar.`,
  KEY_LIFE_UNKNOWN: () =>
    'API-lyklar í Odoo lifa í mesta lagi þrjá mánuði, en `apiKeyExpires` segir ekki til hvaða dags.',
  KEY_EXPIRES: ({ day }) => `API-lykillinn að Odoo rennur út ${day}.`,
} satisfies Translated<typeof ODOO_ENGLISH>;
