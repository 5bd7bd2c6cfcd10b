// Það sem vitað er um færslu á leiðinni, umfram ástæðuna fyrir því að hún hvílir.
import type { OUTCOMES as ENGLISH } from '../english/outcomes.js';
import type { Translated } from '../table.js';

export const OUTCOMES = {
  AS_SAID: ({ text }) => text,
  MAY_BE_FORGOTTEN: () =>
    'Gagnagrunnurinn var endurheimtur úr afriti og kann að hafa gleymt að þetta var sent. Ekkert hefur verið sent síðan.',
  POSTED_BEFORE_RESTORE: () =>
    'Þetta var bókað áður en gagnagrunnurinn var endurheimtur og yrði ekki bókað núna.',
  ERP_CANNOT_TELL: () => 'Þetta bókhaldskerfi getur hvorki endurtekið né flett upp.',
  ABSENCE_UNPROVEN: () => 'Ekkert fannst undir lyklinum, en það sannar ekki að ekkert hafi borist.',
  RESENT_TOO_OFTEN: () => 'Sent aftur jafnoft og brúin reynir.',
  TAKEN_NOT_SHOWN: () => 'Bókhaldskerfið tók við því en sýnir það ekki.',
  POSTED_NOT_SHOWN: () => 'Bókhaldskerfið sagði það bókað en gat ekki sýnt færsluna.',
  KEY_REFUSED_NOT_SHOWN: ({ message }) => `Bókhaldskerfið hafnar lyklinum en sýnir enga færslu: ${message}`,
  SEVERAL_ENTRIES: ({ entries }) => `Færslur: ${entries}.`,
  WORK_NEVER_ENDS: () => 'vinnan hófst en henni lauk aldrei: hún tekur of langan tíma eða stöðvar ferlið',
} satisfies Translated<typeof ENGLISH>;
