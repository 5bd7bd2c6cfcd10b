// Það sem bar út af milli brúarinnar og annars kerfis, á okkar máli. Það sem hitt kerfið sagði stendur innan gæsalappa.
import type { CONNECTIONS as ENGLISH } from '../english/connections.js';
import type { Translated } from '../table.js';
import { inside, named, quoted } from './systems.js';

export const CONNECTIONS = {
  HTTP_HELD: ({ origin, seconds }) => `${origin} bað um hlé og ${seconds} s eru eftir af því`,
  HTTP_TOO_LATE: () => 'tími kallsins var liðinn áður en kom að þessari beiðni',
  HTTP_ORIGIN_REFUSED: ({ origin }) => `þessi tenging má ekki tala við ${origin}`,
  HTTP_NO_CONNECTION: ({ why }) => `ekkert samband (${why})`,
  HTTP_NO_ANSWER: ({ ms }) => `ekkert heilt svar innan ${ms} ms`,
  HTTP_STOPPED: ({ ms }) => `svarið stöðvaðist í miðju kafi: ekkert meira barst í ${ms} ms`,
  HTTP_SILENT: ({ why }) => `ekkert svar í tæka tíð (${why})`,
  HTTP_CANCELLED: () => 'hætt var við kallið hér',
  HTTP_NOT_OPEN: ({ why }) => `beiðnin fór aldrei af stað (${why})`,
  HTTP_ENCODED: ({ encoding }) => `svarið er kóðað sem ${encoding}, sem ekki var beðið um`,
  HTTP_TOO_LARGE: ({ bytes }) => `svarið er stærra en ${bytes} bæti`,
  HTTP_NOT_HTTP: ({ why }) => `svarið er ekki HTTP (${why})`,
  HTTP_BROKE: ({ why }) => `sambandið rofnaði (${why})`,
  HTTP_ASKED_FOR_PAUSE: ({ origin, status }) => `${origin} svaraði ${status} og bað um hlé`,

  NO_TOKEN: ({ origin, why }, say) => `${origin} gaf engan aðgangslykil: ${say(why)}.`,
  ANSWERED_WITHOUT_TOKEN: ({ origin }) => `${origin} svaraði án aðgangslykils.`,
  SCOPES_NOT_GRANTED: ({ origin, scopes }) =>
    `${origin} veitir ekki heimildirnar „${scopes}“. Bættu þeim við tenginguna þar.`,
  NO_SCOPES: () => 'Engar heimildir eru skráðar í stillingum.',
  CLIENT_REFUSED: ({ origin, status }) =>
    `${origin} hafnaði auðkenninu eða leyndarmálinu (HTTP ${status}). Athugaðu hvort tveggja og að leyndarmálið sé ekki útrunnið.`,

  SYSTEM_UNREACHED: ({ system, why }, say) => `Ekki náðist samband við ${inside(system)}: ${say(why)}`,
  SYSTEM_ANSWER_LOST: ({ system, why }, say) => `Svarið frá ${inside(system)} týndist: ${say(why)}`,
  SYSTEM_SAYS: ({ system, answer }) => `${named(system)} segir: ${quoted(answer)}`,
  SYSTEM_BUSY: ({ system, answer }) => `${named(system)} er upptekið: ${quoted(answer)}`,
  SYSTEM_ANSWERED: ({ system, status, answer }) => `${named(system)} svaraði ${status}: ${quoted(answer)}`,
  SYSTEM_UNREADABLE: ({ system, problem, call }) =>
    `${named(system)} svaraði ${call === undefined ? '' : `${call} `}á óþekktu formi: ${quoted(problem)}`,
  SYSTEM_NOT_ITSELF: ({ system }) => `Eitthvað annað en ${inside(system)} svaraði í þess stað.`,
  SYSTEM_SHOWS_TOO_MUCH: ({ system, what }) => `${named(system)} sýnir meira af ${what} en hægt er að lesa.`,
  SYSTEM_TOOK_NOT_SHOWN: ({ system, key }) =>
    `${named(system)} tók við því en sýnir ekkert undir tilvísuninni ${key}.`,

  LISTED_A_PART: ({ listed, expected, stopped }) => `${listed} af ${expected} lesin (${stopped})`,
  IDENTITY_SILENT: ({ issuer, answer }) =>
    `Auðkenningarveitan ${issuer} svaraði ekki eins og til stóð: ${quoted(answer)}`,
} satisfies Translated<typeof ENGLISH>;
