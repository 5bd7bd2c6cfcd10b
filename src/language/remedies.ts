// What to do about an error, for the pages: the English stands in the error's own row, written for the command line too.
import type { CodedError } from '../domain/errors/coded-error.js';
import type { DASHBOARD_ERRORS } from '../domain/errors/dashboard.js';
import type { INVOICING_ERRORS } from '../domain/errors/invoicing.js';
import type { OPERATIONS_ERRORS } from '../domain/errors/operations.js';
import type { ErrorCode } from '../domain/errors/registry.js';
import type { Language } from './say.js';

/** Errors that a page may show. */
type ShownCode =
  | Exclude<keyof typeof OPERATIONS_ERRORS, `API_${string}` | 'HTTP_NOT_LISTENING' | 'NO_RECORDS'>
  | keyof typeof DASHBOARD_ERRORS
  | Extract<
      ErrorCode,
      | 'TENANT_UNKNOWN'
      | 'TENANT_NOT_CONNECTED'
      | 'SOURCE_ACCOUNT_CHANGED'
      | 'LEASE_LOST'
      | 'TENANT_FILES_KEPT'
      | 'TENANT_FILE_REFUSED'
      | 'TENANT_FILE_CHANGED'
      | 'SECRET_MISSING'
      | 'SECRET_REFERENCE_INVALID'
    >
  /** Those of a connection that is tried. */
  | Exclude<
      keyof typeof INVOICING_ERRORS,
      'SOURCE_LOGIN_FAILED' | 'SOURCE_PARAMETERS_INVALID' | 'SOURCE_WRITE_RULE'
    >;

const ICELANDIC: Readonly<Record<ShownCode, string>> = {
  PLAN_OTHER_COMPANY:
    'Leiðréttu aðganginn eða félagið í félagsskránni. Sé þetta ætlunin, t.d. fyrir útibú: `--other-company`, `otherCompany` í API eða reiturinn við staðfestinguna.',
  PLAN_HAS_ERRORS:
    'Lagaðu það sem áætlunin nefnir og staðfestu svo. Til að byrja samt: `--despite-errors`, `despiteErrors` í API eða reiturinn við staðfestinguna; þeim skjölum verður haldið.',
  COMPANY_ROLE: 'Biddu stjórnanda brúarinnar um hlutverkið.',
  SECOND_PERSON_NEEDED: 'Annar gerir hið sama eða samþykkir það undir Samþykktir.',
  APPROVAL_NOT_FOUND: 'Það sem bíður stendur undir Samþykktir.',
  ARCHIVE_NOT_WRITTEN: 'Nefndu aðra skrá með `--output` eða færðu þá sem fyrir er.',
  DOCUMENT_NOT_FOUND: 'Leitaðu að því undir Skjöl.',
  DOCUMENT_AMBIGUOUS: 'Notaðu auðkennið eða guid, eða nefndu félagið líka.',
  ACT_WITHOUT_REASON: 'Segðu það sem skilaboðin biðja um.',
  ACT_NOT_POSSIBLE: 'Líttu á síðu skjalsins: þar stendur hvað hægt er að gera.',
  POSTING_BUSY: 'Reyndu aftur eftir nokkrar sekúndur.',
  NOTHING_CHOSEN: 'Veldu skjöl, orsök, félag eða stöður; orsakirnar standa undir Vandamál.',
  RUN_NOT_FOUND: 'Keyrslurnar standa undir Endurkeyrslur.',
  SUBMISSION_NOT_FOUND: 'Leitaðu að því undir Inn í þjónustuna og notaðu auðkennið.',
  CERTIFICATE_NOT_FOUND: 'Þær standa undir Staðfestingar.',
  INCIDENT_NOT_FOUND: 'Þau standa undir Atvik.',
  ERP_REFERENCE_UNKNOWN: 'Flettu færslunni upp í bókhaldskerfinu og gefðu upp númer hennar eða auðkenni.',
  ERP_REFERENCE_TAKEN: 'Finndu færslu þessa skjals; sé hún engin, keyrðu það aftur.',
  ERP_ENTRY_NOT_STANDING: 'Nefndu færsluna sem stendur fyrir skjalið; sé hún engin, keyrðu það aftur.',
  ERP_ENTRY_DIFFERS:
    'Berðu þau saman. Sé þetta sama skjal, bókað í höndunum á aðra lykla eða á öðru gengi, skaltu samþykkja mismuninn sérstaklega.',
  ERP_NOT_ANSWERING:
    'Reyndu aftur þegar það svarar; „Prófa tenginguna“ á síðu félagsins segir hvernig það stendur.',
  ERP_CANNOT_REVERSE:
    'Bakfærðu færsluna í bókhaldskerfinu sjálfu og slepptu svo skjalinu eða merktu það með nýju færslunni.',
  ERP_REFUSED_REVERSAL: 'Lestu skilaboðin; sé tímabilið lokað, gefðu upp dag í opnu tímabili með --date.',
  REVERSAL_UNKNOWN:
    'Bakfærðu aftur eftir fimmtán mínútur: brúin leitar að bakfærslunni áður en hún sendir aðra.',
  MOVE_TO_NEW_REFUSED: 'Færðu hann þangað í höndunum og samþykktu: hann kemur aftur næst þegar sótt er.',
  PLAN_UNCHECKED:
    'Lagaðu tenginguna („Prófa tenginguna“ á síðu félagsins segir hvernig hún stendur) og staðfestu aftur. Til að byrja án þess: gerðu áætlunina aftur og merktu í reitinn við staðfestinguna.',
  TOKEN_INVALID: 'Lyklarnir sem til eru standa undir Fólk og lyklar.',
  QUERY_INVALID: 'Leiðréttu síuna sem skilaboðin nefna.',
  USER_NOT_FOUND: 'Fólkið stendur undir Fólk og lyklar.',
  TENANT_FILES_KEPT: 'Breyttu skránni í höndunum, eða settu LEDGERBRIDGE_TENANT_FILES=editable.',
  TENANT_FILE_REFUSED: 'Lagaðu það sem skilaboðin nefna; skráin er óbreytt.',
  SECRET_MISSING:
    'Settu breytuna eða skrifaðu skrána sem skilaboðin nefna; ekki þarf að endurræsa vegna skrár.',
  SECRET_REFERENCE_INVALID:
    'Skrifaðu env:NAFN eða file:slóð í staðinn, og skiptu um leyndarmálið hafi það nokkurn tíma verið vistað.',
  TENANT_FILE_CHANGED: 'Skoðaðu breytinguna aftur og vistaðu svo.',
  USER_EXTERNAL: 'Breyttu hópum viðkomandi hjá auðkenningarveitunni, eða reglunum í sign-in.yaml.',
  SECOND_FACTOR_ON: 'Slökktu fyrst á henni, eða láttu taka hana af: `ledgerbridge user totp reset`.',
  SECOND_FACTOR_KEY:
    'Settu LEDGERBRIDGE_KEY (búðu hann til með `openssl rand -base64 32`) og ræstu brúna aftur.',
  SECOND_FACTOR_ELSEWHERE: 'Biddu um hana hjá auðkenningarveitunni.',
  SIGN_IN_INVALID: 'Lagaðu línurnar sem skilaboðin nefna; dæmi er í docs/how-to/dashboard.md.',
  IDENTITY_UNREACHABLE:
    'Reyndu aftur; haldi þetta áfram, spurðu þann sem rekur veituna. Aðgangar brúarinnar virka enn, séu þeir leyfðir.',
  PUBLIC_ADDRESS_MISSING: 'Settu LEDGERBRIDGE_PUBLIC_URL á slóðina sem fólk notar og ræstu brúna aftur.',
  USER_EXISTS: 'Veldu annað notandanafn, eða settu nýtt lykilorð fyrir það sem til er.',
  LOGIN_INVALID: 'Notaðu 2 til 60 stafi: bókstafi, tölustafi, punkt, bandstrik, undirstrik og @.',
  PASSWORD_WEAK: 'Notaðu minnst 12 stafi sem eru ekki eitt orð; nokkur orð í röð duga vel.',
  SIGN_IN_BUSY:
    'Reyndu aftur eftir nokkrar sekúndur; ætti enginn að vera að skrá sig inn skaltu líta í kerfisdagbókina.',
  USER_STILL_ENABLED: 'Gerðu notandann fyrst óvirkan: `ledgerbridge user revoke NOTANDI`.',
  LAST_ADMIN: 'Gerðu fyrst einhvern annan að stjórnanda.',
  SETUP_CODE_WRONG: 'Taktu kóðann úr annál brúarinnar, eða notaðu `ledgerbridge user create`.',
  SETUP_DONE: 'Skráðu þig inn, eða biddu stjórnanda um aðgang.',
  TENANT_UNKNOWN: 'Nöfnin standa undir Félög.',
  TENANT_NOT_CONNECTED:
    'Athugaðu skrá félagsins með `ledgerbridge tenant validate`; skjölin bíða þangað til hún er í lagi.',
  SOURCE_ACCOUNT_CHANGED:
    'Settu réttan aðgang aftur í félagsskrána, eða tengdu hinn reikninginn undir nýju nafni félags.',
  LEASE_LOST: 'Ekkert: nýrra ferlið heldur áfram.',
  SOURCE_UNREACHABLE: 'Athugaðu slóðina og netið; brúin reynir aftur af sjálfsdáðum.',
  SOURCE_NO_ANSWER: 'Ekkert: brúin spyr aftur. Haldi það áfram, spurðu þann sem rekur þjónustuna.',
  SOURCE_EFFECT_UNKNOWN: 'Brúin les skjalið áður en hún gerir nokkuð annað. Í höndunum: líttu á skjalið.',
  SOURCE_UNAVAILABLE: 'Ekkert: brúin reynir aftur.',
  SOURCE_RATE_LIMITED: 'Ekkert: brúin bíður eins lengi og hún var beðin um og spyr sjaldnar.',
  SOURCE_CIRCUIT_OPEN: 'Ekkert: prófað er aftur af sjálfsdáðum. Ástæðan er í villunum á undan.',
  SOURCE_CREDENTIALS_REFUSED:
    'Athugaðu leyndarmál félagsins og hvaða umhverfi þau tilheyra; prófaðu svo tenginguna aftur.',
  SOURCE_FORBIDDEN:
    'Veittu heimildina sem skilaboðin nefna með `ledgerbridge auth login`, eða láttu breyta áskriftinni.',
  SOURCE_WRONG_ACCOUNT: 'Leiðréttu registrationNo eða aðgang félagsins; ekkert var lesið eða skrifað.',
  SOURCE_ACCOUNT_UNKNOWN:
    'Skrifaðu registrationNo í félagsskrána, eða veittu líka heimildina dashboard_data.',
  SOURCE_NEEDS_CONSENT: 'Sá sem má skrá sig inn á reikninginn keyrir `ledgerbridge auth login <tenant>`.',
  SOURCE_GRANT_BUSY: 'Ekkert: brúin les heimildina aftur eftir skamma stund.',
  SOURCE_GRANT_UNREADABLE:
    'Gefðu upp lykilinn sem innsiglaði þau sem eldri lykil, eða skráðu þig inn aftur með `ledgerbridge auth login`.',
  SOURCE_TOKEN_KEY_INVALID: 'Settu LEDGERBRIDGE_KEY á 32 slembibæti í base64: `openssl rand -base64 32`.',
  SOURCE_REFUSED: 'Lestu skilaboðin; sama kalli verður hafnað aftur.',
  SOURCE_ENDPOINT_MISSING: 'Athugaðu slóðina (án /api/v1) og að hún sé þjónustan en ekki vefur hennar.',
  SOURCE_REDIRECTED:
    'Skrifaðu endanlegu slóðina í félagsskrána (https, rétt vélarheiti, engin innskráningarsíða).',
  SOURCE_UNREADABLE:
    'Brúin spyr aftur; haldi það áfram, berðu svarið saman við docs/reference/invoicing-api.md.',
  SOURCE_TOO_LARGE: 'Biddu um minna (minni síðu eða styttra tímabil); eitt of stórt skjal þarf manneskju.',
  SOURCE_CANCELLED: 'Ekkert: það er endurtekið eftir ræsingu.',
  SOURCE_SETTINGS_INVALID: 'Leiðréttu `source` í félagsskránni eins og skilaboðin segja.',
};

export function remedyText(language: Language, { code, definition }: CodedError): string {
  return language === 'is' ? (icelandicRemedy(code) ?? definition.remedy) : definition.remedy;
}

/** null: of an error that no page shows. */
export function icelandicRemedy(code: string | undefined): string | null {
  if (code === undefined || !Object.hasOwn(ICELANDIC, code)) return null;
  return (ICELANDIC as Partial<Record<string, string>>)[code] ?? null;
}
