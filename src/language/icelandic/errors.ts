// Hvers vegna eitthvað var ekki gert.
import type { ERRORS as ENGLISH_ERRORS } from '../english/errors.js';
import { answerQuoted } from '../answers.js';
import type { Translated } from '../table.js';

export const ERRORS = {
  ID_UNKNOWN: ({ id }) => `Ekkert skjal hefur auðkennið ${id}.`,
  REFERENCE_UNKNOWN: ({ reference }) =>
    `Ekkert skjal hefur auðkennið, guid-ið, númerið, lykilinn eða færsluna „${reference}“.`,
  REFERENCE_AMBIGUOUS: ({ reference, ids }) =>
    `„${reference}“ á við fleiri en eitt skjal. Notaðu eitt þessara auðkenna: ${ids}.`,
  BEING_WORKED_ON: () => 'Verið er að vinna í þessu skjali núna.',
  SAY_WHICH: () => 'Segðu hvaða skjöl: auðkenni, orsök, félag eða stöður.',
  NOTHING_FITS: () => 'Ekkert skjal passar við valið.',
  NAME_DOCUMENTS: ({ most }) => `Nefndu á bilinu 1 til ${most} skjöl.`,
  SAY_WHY: () => 'Segðu hvers vegna, í 3 til 500 stöfum: það geymist í ferlinum.',
  SAY_WHO: () => 'Segðu hver gerir það, í mesta lagi 100 stöfum.',
  ENTRY_NOT_FOUND: ({ reference }) => `Bókhaldskerfið þekkir enga færslu „${reference}“.`,
  ENTRY_AMBIGUOUS: ({ reference, count }) => `„${reference}“ á við ${count} færslur í bókhaldskerfinu.`,
  ENTRY_WAS_REVERSED: ({ entry }) => `Færsla ${entry} var bakfærð í bókhaldskerfinu.`,
  ENTRY_IS_DRAFT: ({ entry }) => `Færsla ${entry} er aðeins drög í bókhaldskerfinu.`,
  OWN_ENTRY_STANDS: ({ entry }) =>
    `Færsla eða drög ${entry} fyrir þetta skjal er þegar í fjárhagskerfinu: merktu hana, eða fjarlægðu hana þar fyrst.`,
  ENTRY_TAKEN: ({ entry, holder }) => `Færsla ${entry} stendur fyrir annað skjal: ${holder}.`,
  ENTRY_IN_USE: ({ entry }) => `Verið er að merkja annað skjal með færslu ${entry} núna.`,
  SOURCE_HAS_IT_AS: ({ outcome }) => `Skjalið er „${outcome}“ í upprunanum og verður því ekki sett í Posted.`,
  ERP_NOT_ASKED: ({ answer }, say) => `Ekki náðist í bókhaldskerfið: ${answerQuoted(answer, say)}`,
  REVERSAL_REFUSED: ({ answer }, say) => `Bókhaldskerfið hafnaði bakfærslunni: ${answerQuoted(answer, say)}`,
  REVERSAL_NOT_TAKEN: ({ answer }, say) =>
    `Bókhaldskerfið tók ekki við bakfærslunni: ${answerQuoted(answer, say)}`,
  REVERSAL_NOT_KNOWN: ({ key }) =>
    `Ekki er vitað hvort bókhaldskerfið tók við bakfærslunni ${key}. Engu öðru var breytt.`,
  NO_REVERSALS: () => 'Þetta bókhaldskerfi tekur ekki við bakfærslum að utan.',
  ENTRY_NOT_SHOWN: ({ entry, key }) =>
    `Bókhaldskerfið sýnir ekki eina bókaða færslu ${entry} með lyklinum ${key}.`,
  ENTRIES_SHOWN: ({ key, entries }) =>
    `Bókhaldskerfið sýnir fleiri en eina færslu með lyklinum ${key}: ${entries}.`,
  ENTRY_SHOWN: ({ key }) =>
    `Bókhaldskerfið sýnir færslu með lyklinum ${key}. Keyrðu það aftur, þá tekur brúin hana upp.`,
  TOO_LATE_TO_SEND: () => 'Það var orðið of seint að senda, svo að ekkert var sent; reyndu aftur.',
  SENT_NOT_ON_RECORD: () => 'Það sem var sent er ekki á skrá.',
  RUN_UNKNOWN: ({ id }) => `Engin keyrsla hefur auðkennið ${id}.`,
  INCIDENT_UNKNOWN: ({ id }) => `Ekkert opið atvik hefur auðkennið ${id}.`,
  TOKEN_UNKNOWN: ({ id }) => `Enginn lykill hefur auðkennið ${id}, eða hann var afturkallaður áður.`,
  NO_SUCH_SALE: ({ sale }) => `Þjónustan hefur enga sölu ${sale.slice(0, 60)}.`,
  SALE_IS_NO_EVENT: ({ name, answer }) =>
    `„${name}“ er ekki viðburður; aðeins viðburðir hafa gesti. Svarið var: „${answer}“`,
  GIVE_A_PERIOD: () => 'Gefðu tímabilið upp sem tvo daga, þann fyrri fyrst.',
  NO_SUCH_TENANT: ({ name, near }) =>
    `Ekkert félag heitir „${name}“.${near === undefined ? '' : ` Áttirðu við „${near}“?`}`,
  SIGN_IN_CROWDED: () => 'Fleiri lykilorð eru í skoðun en hægt er að skoða í einu.',
  PASSWORD_SHORT: ({ least }) => `Lykilorð þarf minnst ${least} stafi.`,
  PASSWORD_LONG: ({ most }) => `Lykilorð er í mesta lagi ${most} stafir.`,
  PASSWORD_GUESSED: () => 'Lykilorðið er eitt af þeim fyrstu sem einhver myndi giska á.',
  LOGIN_UNKNOWN: ({ login }) => `Enginn hefur notandanafnið ${login}.`,
  SYSTEM_USER_TAKEN: ({ name }) => `Annað notandanafn er þegar skráð sem kerfisnotandinn ${name}.`,
  SYSTEM_USER_SHAPE: () => 'Nafn kerfisnotanda er 1 til 60 stafir, án bila og tvípunkta.',
  LOGIN_TAKEN: ({ login }) => `Einhver hefur þegar notandanafnið ${login}.`,
  LOGIN_SHAPE: () => 'Notandanafn er 2 til 60 bókstafir, tölustafir eða . - _ @, án bila.',
  ADMIN_IS_LAST: ({ login }) => `${login} er síðasti stjórnandinn.`,
  LOGIN_ELSEWHERE: ({ login }) => `${login} skráir sig inn annars staðar.`,
  FACTOR_IS_ON: () => 'Tveggja þrepa auðkenning er þegar í notkun.',
  FACTOR_NEEDS_KEY: () => 'Enginn LEDGERBRIDGE_KEY er til að geyma leyndarmálið með.',
  FACTOR_ELSEWHERE: () => 'Þú skráir þig inn annars staðar; þar er spurt um annað þrepið.',
  FILES_ARE_KEPT: () => 'Félagsskrám er ekki breytt af síðunum hér.',
  NOTHING_FILLED_IN: () => 'Ekkert var fyllt út.',
  SET_UP_ALREADY: () => 'Einhver hefur þegar sett stjórnborðið upp.',
  SET_UP_CODE_UNKNOWN: () => 'Þetta er ekki uppsetningarkóði þessarar brúar, eða hann er of gamall.',
  ROLE_NEEDED: ({ role, company, has }) =>
    `Til þess þarf hlutverkið ${role} í ${company}; þú hefur ${has} þar.`,
  ALL_COMPANIES_CONCERNED: () => 'Þetta snertir öll félög, en þú sérð aðeins sum.',
  ADMIN_AGREES: () => 'Aðeins stjórnandi má samþykkja áætlun.',
  ASKED_BY_YOURSELF: () => 'Þú baðst um það: annar þarf að samþykkja.',
  PERSON_UNKNOWN: () =>
    'Þetta félag krefst þess að tveir standi að þessu og ekki er vitað hver þú ert. Beiðnin er á síðunni Samþykki: þar samþykkja tveir, hvor með sínu notandanafni. Fyrir skipanalínuna skráir stjórnandi hver þú ert: ledgerbridge user system-user NOTANDANAFN NAFN. Nýr lykill kemur í stað lykils sem eldri útgáfa bjó til.',
  TWO_PEOPLE_WANTED: () => 'Þetta félag vill að tveir standi að þessu, og einn hefur beðið um það.',
  NO_SUCH_APPROVAL: ({ id }) => `Ekkert bíður samþykkis undir ${id}.`,
  PLAN_WITH_ERRORS: ({ tenant, count }) =>
    `Áætlun ${tenant} var ekki staðfest: ${count === 1 ? 'í henni er ein villa' : `í henni eru ${count} villur`}.`,
  PLAN_NOT_CONFIRMED: ({ tenant, answer }, say) =>
    `Áætlun ${tenant} var ekki staðfest því ekki náðist í bókhaldskerfið${answer === undefined ? '.' : `: ${answerQuoted(answer, say)}`}`,
} satisfies Translated<typeof ENGLISH_ERRORS>;
