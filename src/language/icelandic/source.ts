// Það sem stóð í vegi fyrir svari frá reikningakerfinu, á okkar máli.
import type { SOURCE as ENGLISH } from '../english/source.js';
import type { Translated } from '../table.js';
import { quoted } from './systems.js';

export const SOURCE = {
  CALL_FAILED: ({ call, answer, why }, say) =>
    `${call}: ${say(answer)}.${why === undefined ? '' : ` ${say(why)}`}`,
  CODE_WORKED_BEFORE: () =>
    'Viðhaldskóðinn virkaði áður á þessari tengingu, svo þetta er líklega bilun hjá þjónustunni.',
  CODE_PROBABLY_WRONG: () =>
    'Í þróunarumhverfinu merkir 503 oftast að viðhaldskóðinn sé rangur; það getur líka verið bilun.',
  OUTAGE_OR_DEVELOPMENT: () => 'Þetta er bilun, eða baseUrl er þróunarumhverfið, sem vill fá viðhaldskóða.',
  PROBABLY_A_PROXY: () => 'Líklega viðhaldssíða, milliþjónn eða röng grunnslóð.',
  REDIRECTS_NOT_FOLLOWED: () => 'Endurbeiningum er aldrei fylgt.',
  NOT_A_JSON_OBJECT: ({ type }) => `svarið er ekki JSON-hlutur (${type})`,
  CALL_TOO_LATE: () => 'það beið fram yfir þá stund sem það mátti fara',
  CALL_LEFT_ALONE: ({ call }) =>
    `${call} var ekki sent: síðustu köll mistókust og þjónustan er látin í friði um stund.`,
  CALL_CANCELLED: ({ call }) => `Hætt var við ${call} meðan það beið.`,
  CALL_PAUSED: ({ call }) => `${call} var ekki sent: þjónustan bað um hlé.`,
  CALL_CROWDED: ({ call }) => `${call} var ekki sent: of mörg köll bíða nú þegar.`,
  SCOPE_NOT_GRANTED: ({ call, scope }) =>
    `${call} var ekki sent: leyfið nær ekki til heimildarinnar ${scope}.`,
  ACCOUNT_OF_OTHER: ({ name }) => `Aðgangurinn opnar reikning ${name || 'einhvers annars'}.`,
  ACCOUNT_CHANGED: ({ tenant, known, opened }) =>
    `Aðgangur ${tenant} opnar reikninginn ${opened}, en skjöl þess komu frá ${known}.`,
  HELLO_REFUSED: ({ answer }) => `Þjónustan neitaði að heilsa: ${quoted(answer)}.`,
  EVERY_CALL_REFUSED: ({ answer }) => `Þjónustan hafnar hverju kalli: ${quoted(answer)}.`,
  SERVICE_REFUSED: ({ answer }) => `Þjónustan hafnaði: ${quoted(answer)}.`,
  ACCOUNT_NOT_TOLD: () => 'Leyfið nær ekki til dashboard_data, sem segir hvers reikningurinn er.',
  KEY_ENDPOINT_ONLY: () =>
    'Þessi endapunktur tekur notandanafn og API-lykil reikningsins, en þetta félag skráir sig inn með OAuth.',
  CREDENTIALS_CHANGE: () =>
    'Aðgangslyklunum var skipt út aftur og aftur meðan spurt var hvers reikning þeir opna.',
  REFRESH_BUSY: () => 'Annað ferli heldur endurnýjun þessa leyfis og lýkur henni ekki.',
  REFRESH_LEASE_LOST: () => 'Hald á þessu leyfi tapaðist áður en endurnýjunin hófst.',
  REFRESH_UNANSWERED: ({ why }, say) => `Endurnýjun aðgangslykla var ekki skýrt svarað: ${say(why)}`,
  NEEDS_CONSENT: ({ tenant, why }, say) => `${tenant} þarf samþykki: ${say(why)}.`,
  NOBODY_CONSENTED: () => 'Enginn hefur samþykkt þessa tengingu enn',
  GRANT_LOST: () => 'Leyfið tapaðist eða því var hafnað',
  GRANT_REVOKED: () => 'Leyfið var afturkallað',
  REFRESH_REFUSED: ({ answer, wasLost }) =>
    `Þjónustan neitaði að endurnýja aðgangslyklana${wasLost ? ', eftir fyrri endurnýjun sem ekkert svar barst við' : ''} (${quoted(answer)})`,
} satisfies Translated<typeof ENGLISH>;
