// What is said of Business Central alone, in both languages.
import { named, quoted, within, type Message, type Say, type TextTable, type Translated } from '../texts.js';

export const BUSINESS_CENTRAL_ENGLISH = {
  AMOUNTS_CHANGED: () =>
    'Business Central changed the amounts on the way in. Check the amount decimals in General Ledger Setup and the currency of the customer.',
  JOURNAL_NOT_REMOVED: ({ failure }: { failure: Message }, say: Say) =>
    `${say(failure)} The journal could not be removed.`,
  DRAFT_NOT_REMOVED: ({ failure }: { failure: Message }, say: Say) =>
    `${say(failure)} The draft could not be removed.`,
  DRAFT_IN_USE: ({ system }: { system: string }) =>
    `Another process is making the same document in ${system}.`,
  DRAFT_NOT_AS_SENT: ({ differences }: { differences: Message }, say: Say) =>
    `Business Central would book something else than was sent: ${say(differences)}. Look at "Prices Including VAT", the default dimensions and the invoice discount of the customer or vendor, and at the amount decimals.`,
  JOURNAL_IN_USE: ({ journal }: { journal: string }) => `Journal ${journal} is in use by another posting.`,
  JOURNAL_JUST_POSTED: ({ journal }: { journal: string }) =>
    `Journal ${journal} has just been posted by another process.`,
  JOURNAL_UNSEEN: ({ journal }: { journal: string }) =>
    `What became of journal ${journal} could not be seen.`,
  POSTED_ELSEWHERE: ({ journal, key }: { journal: string; key: string }) =>
    `Journal ${journal} has been posted, but no ledger entry has the document number ${key}. The journal template has a posting number series: remove it. Find the entries, mark the document as posted, and delete the journal.`,
  ACCOUNT_WANTS_KENNITALA: ({ account }: { account: string }) =>
    `Account ${account} takes lines of customers and vendors only, and the document names no kennitala.`,
  ACCOUNT_NOT_DIRECT: ({ account }: { account: string }) =>
    `Account ${account} takes no direct posting. If it is a control account, list it under \`subledger\`.`,
  VAT_GROUP_NOT_KEPT: ({ vatCode }: { vatCode: string }) =>
    `Business Central did not keep ${vatCode === '' ? 'no VAT product posting group' : `the VAT product posting group ${vatCode}`} on a line. Check that it exists, and that the account has a general posting type.`,
  RATE_LACKING: ({ system, currency, date }: { system: string; currency: string; date: string }) =>
    `${system} has no exchange rate for ${currency} on ${date}. Enter it there, then try again.`,
  RATE_FAR: (rate: { system: string; currency: string; date: string; found: string; wanted: string }) =>
    `${rate.system} has the exchange rate ${rate.found} for ${rate.currency} on ${rate.date}, and the document has ${rate.wanted}. Correct the rate there, then try again.`,
  BILL_TYPED_ALREADY: ({ number, supplier }: { number: string; supplier: string }) =>
    `Business Central has an invoice ${number} of the vendor ${supplier} already, which the bridge did not make. Delete or reverse one, or mark the document as posted.`,
  PARTNER_IN_CURRENCY: ({ partner, currency }: { partner: string; currency: string }) =>
    `${partner} has the currency ${currency}; only ISK can be booked.`,
  COMPANY_NOT_SHOWN_SAID: ({ company, answer }: { company: string; answer: Message }, say: Say) =>
    `The environment has no company ${company} that this app may see. ${say(answer)}`,
  BUSINESS_CENTRAL_REFUSED: ({ answer }: { answer: string }) =>
    `Business Central refused the app: ${answer}. Check its permission set and the secret.`,
  BUSINESS_CENTRAL_NOT_204: ({ status }: { status: number }) =>
    `Business Central answered ${status} where 204 was due.`,
} satisfies TextTable;

export const BUSINESS_CENTRAL_ICELANDIC = {
  AMOUNTS_CHANGED: () =>
    'Business Central breytti upphæðunum á leiðinni inn. Athugaðu fjölda aukastafa í „General Ledger Setup“ og gjaldmiðil viðskiptamannsins.',
  JOURNAL_NOT_REMOVED: ({ failure }, say) => `${say(failure)} Ekki tókst að fjarlægja dagbókina.`,
  DRAFT_NOT_REMOVED: ({ failure }, say) => `${say(failure)} Ekki tókst að fjarlægja drögin.`,
  DRAFT_IN_USE: ({ system }) => `Annað ferli er að gera sama skjal í ${within(system)}.`,
  DRAFT_NOT_AS_SENT: ({ differences }, say) =>
    `Business Central myndi bóka annað en sent var: ${say(differences)}. Líttu á „Prices Including VAT“, sjálfgefnar víddir og reikningsafslátt viðskiptamannsins eða lánardrottinsins, og á fjölda aukastafa.`,
  JOURNAL_IN_USE: ({ journal }) => `Önnur bókun er að nota dagbókina ${journal}.`,
  JOURNAL_JUST_POSTED: ({ journal }) => `Annað ferli var að bóka dagbókina ${journal}.`,
  JOURNAL_UNSEEN: ({ journal }) => `Ekki var hægt að sjá hvað varð um dagbókina ${journal}.`,
  POSTED_ELSEWHERE: ({ journal, key }) =>
    `Dagbókin ${journal} hefur verið bókuð, en engin færsla hefur skjalsnúmerið ${key}. Dagbókarsniðið hefur bókunarnúmeraröð: taktu hana af. Finndu færslurnar, merktu skjalið sem bókað og eyddu dagbókinni.`,
  ACCOUNT_WANTS_KENNITALA: ({ account }) =>
    `Lykillinn ${account} tekur aðeins við línum viðskiptamanna og birgja, en skjalið nefnir enga kennitölu.`,
  ACCOUNT_NOT_DIRECT: ({ account }) =>
    `Ekki er bókað beint á lykilinn ${account}. Ef hann er samtölulykill, nefndu hann undir \`subledger\`.`,
  VAT_GROUP_NOT_KEPT: ({ vatCode }) =>
    `Business Central hélt ekki ${vatCode === '' ? 'auðum VSK-flokki' : `VSK-flokknum ${vatCode}`} á línu. Athugaðu að hann sé til og að lykillinn hafi almenna bókunargerð.`,
  RATE_LACKING: ({ system, currency, date }) =>
    `${named(system)} hefur ekkert gengi á ${currency} þann ${date}. Skráðu það þar og reyndu svo aftur.`,
  RATE_FAR: ({ system, currency, date, found, wanted }) =>
    `${named(system)} hefur gengið ${found} á ${currency} þann ${date}, en skjalið ${wanted}. Leiðréttu gengið þar og reyndu svo aftur.`,
  BILL_TYPED_ALREADY: ({ number, supplier }) =>
    `Business Central hefur þegar reikninginn ${number} frá lánardrottninum ${supplier}, sem brúin gerði ekki. Eyddu öðrum þeirra eða bakfærðu hann, eða merktu skjalið sem bókað.`,
  PARTNER_IN_CURRENCY: ({ partner, currency }) =>
    `${partner} er með gjaldmiðilinn ${currency}; aðeins er hægt að bóka í krónum.`,
  COMPANY_NOT_SHOWN_SAID: ({ company, answer }, say) =>
    `Umhverfið hefur ekkert félag ${company} sem þetta forrit má sjá. ${say(answer)}`,
  BUSINESS_CENTRAL_REFUSED: ({ answer }) =>
    `Business Central hafnaði forritinu: ${quoted(answer)}. Athugaðu heimildir þess og leyndarmálið.`,
  BUSINESS_CENTRAL_NOT_204: ({ status }) => `Business Central svaraði ${status} þar sem 204 átti að koma.`,
} satisfies Translated<typeof BUSINESS_CENTRAL_ENGLISH>;
