// The sentences of the description of the bookkeeping, in both languages. What is in force is filled in by description.ts.
import type { Language } from '../../language/say.js';

export interface Words {
  readonly title: (company: string) => string;
  readonly law: string;
  readonly connections: string;
  readonly source: (environment: string, address: string, signIn: string) => string;
  readonly erp: (adapter: string, ledger: string) => string;
  readonly cutOver: (day: string | null) => string;
  readonly schedule: (cron: string, zone: string) => string;
  readonly paused: string;
  readonly way: string;
  readonly steps: readonly string[];
  readonly together: (kinds: readonly ('invoices' | 'costs')[], hours: number) => string;
  readonly rules: string;
  readonly rulesFrom: (version: string, files: string) => string;
  readonly nothing: string;
  readonly people: string;
  readonly roles: readonly string[];
  readonly doubt: string;
  readonly doubts: readonly string[];
  readonly lookUp: Readonly<Record<'posted-and-draft' | 'posted' | 'none', string>>;
  readonly originals: string;
  readonly kept: (attach: boolean, years: number) => string;
  readonly notKept: string;
  readonly toldAfterwards: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: (company) => `Description of the automated bookkeeping of ${company}`,
    law: 'Made from what is in force at this moment (Act 145/1994 on bookkeeping wants such a description).',
    connections: 'Connections',
    source: (environment, address, signIn) =>
      `Invoices and costs come from the invoicing service at ${address} (${environment}); the bridge signs in with ${signIn}.`,
    erp: (adapter, ledger) => `They are booked in the ledger “${ledger}” by the adapter ${adapter}.`,
    cutOver: (day) =>
      day === null
        ? 'No cut-over date is set: nothing is booked yet.'
        : `Documents issued on ${day} or later are booked; earlier ones are not the bridge’s.`,
    schedule: (cron, zone) =>
      `New documents are looked for by the schedule ${cron} (${zone}), and all of them once a day.`,
    paused: 'The company is paused in its file: nothing is swept or booked.',
    way: 'How a document becomes an entry',
    steps: [
      'A document is booked when the invoicing service hands it over with the status Created.',
      'It is read whole and kept as it came, with a hash of its content; then mapped by the rules below to a journal that balances.',
      'The exact request is put on record before it is sent to the ERP, under a key that only this document has.',
      'The entry is read back and compared with the journal; only then is the document marked Posted at the service.',
      'What cannot be booked is skipped, refused, held or parked with a reason; nothing is guessed.',
      'Every step has a line in the audit, chained by hashes, with who did it and why.',
    ],
    together: (kinds, hours) =>
      `The ${kinds.join(' and ')} of a day are one entry, made when the day is closed, ${String(hours)} hours after its beginning. Each keeps its own line of what is owed, with its number and key; each is marked Posted by itself, and undone alone by an entry of its own.`,
    rules: 'Rules in force',
    rulesFrom: (version, files) => `Version ${version}, from ${files}.`,
    nothing: '(none)',
    people: 'Who may do what',
    roles: [
      'A viewer sees everything and changes nothing.',
      'An operator replays, holds, releases, skips, marks as posted, and acknowledges incidents; each act with a reason in the audit.',
      'An admin also confirms the first plan, reverses and reposts entries, pauses, manages users and tokens.',
      'Whoever can run the command line on the machine can do all of it, under their name.',
    ],
    doubt: 'What happens in doubt',
    doubts: [
      'An outage uses up nothing: documents wait and go on by themselves.',
      'An answer that was lost is found out before anything is sent again.',
      'Another content, or two entries, under one key are parked with an alarm and never touched.',
      'Entries are corrected only when a person reverses them.',
    ],
    lookUp: {
      'posted-and-draft':
        'This ERP can be searched for entries and drafts: the bridge looks before it sends again.',
      posted: 'This ERP shows posted entries only: where none is found, a person looks.',
      none: 'This ERP cannot be searched: what is uncertain is parked, and a person looks.',
    },
    originals: 'Originals',
    kept: (attach, years) =>
      `PDFs, receipts and e-invoices are fetched after the posting, kept under the hash of their bytes, and ${attach ? 'attached to the entry where the ERP takes files' : 'not attached'}. They are kept for ${String(years)} years from the end of their year at least, and removed only when a person says so.`,
    toldAfterwards:
      'The invoicing service hears that a document is posted only when its originals are at the entry, kept, or known not to exist.',
    notKept: 'Originals are not kept by the bridge: they stay at the invoicing service.',
  },
  is: {
    title: (company) => `Lýsing á sjálfvirku bókhaldi: ${company}`,
    law: 'Gerð eftir því sem gildir á þessari stundu (lög nr. 145/1994 um bókhald krefjast slíkrar lýsingar).',
    connections: 'Tengingar',
    source: (environment, address, signIn) =>
      `Reikningar og kostnaður koma úr reikningakerfinu á ${address} (${environment}); brúin skráir sig inn með ${signIn}.`,
    erp: (adapter, ledger) => `Bókað er í „${ledger}“ með tengli ${adapter}.`,
    cutOver: (day) =>
      day === null
        ? 'Engin upphafsdagsetning er sett: ekkert er bókað enn.'
        : `Skjöl útgefin ${day} eða síðar eru bókuð; eldri skjöl eru ekki á vegum brúarinnar.`,
    schedule: (cron, zone) =>
      `Nýrra skjala er leitað eftir áætluninni ${cron} (${zone}) og allra einu sinni á dag.`,
    paused: 'Félagið er stöðvað í skrá sinni: ekkert er sótt eða bókað.',
    way: 'Hvernig skjal verður að færslu',
    steps: [
      'Skjal er bókað þegar reikningakerfið afhendir það í stöðunni Created.',
      'Það er lesið í heild og geymt eins og það barst, með tætigildi innihalds; svo er því varpað eftir reglunum hér að neðan í færslu sem stemmir.',
      'Nákvæm beiðni er skráð áður en hún er send bókhaldskerfinu, undir lykli sem aðeins þetta skjal hefur.',
      'Færslan er lesin aftur og borin saman; fyrst þá er skjalið merkt Posted í reikningakerfinu.',
      'Það sem ekki er hægt að bóka er sleppt, hafnað, haldið eða lagt til hliðar með ástæðu; ekkert er giskað á.',
      'Hvert skref á línu í ferilskrá, keðjaða með tætigildum, með því hver gerði hvað og hvers vegna.',
    ],
    together: (kinds, hours) =>
      `${kinds.map((kind) => (kind === 'invoices' ? 'Reikningar' : 'kostnaður')).join(' og ')} hvers dags eru ein færsla, gerð þegar deginum er lokað, ${String(hours)} klst. eftir upphaf hans. Hvert skjal á sína línu um það sem skuldað er, með númeri og lykli; hvert er merkt Posted fyrir sig og bakfært eitt og sér með eigin færslu.`,
    rules: 'Reglur í gildi',
    rulesFrom: (version, files) => `Útgáfa ${version}, úr ${files}.`,
    nothing: '(engar)',
    people: 'Hver má hvað',
    roles: [
      'Skoðandi (viewer) sér allt og breytir engu.',
      'Stjórnandi verka (operator) keyrir aftur, heldur, sleppir, merkir bókað og staðfestir atvik; hvert verk með ástæðu í ferilskrá.',
      'Umsjónarmaður (admin) staðfestir auk þess fyrstu áætlun, bakfærir og endurbókar, stöðvar, og sér um notendur og lykla.',
      'Sá sem kemst að skipanalínu vélarinnar getur gert allt þetta, undir sínu nafni.',
    ],
    doubt: 'Hvað gerist í vafa',
    doubts: [
      'Rof eyðir engu: skjöl bíða og halda sjálf áfram.',
      'Svar sem týndist er upplýst áður en nokkuð er sent aftur.',
      'Annað innihald, eða tvær færslur, undir einum lykli er lagt til hliðar með viðvörun og ekki snert.',
      'Færslur eru aðeins leiðréttar þegar manneskja bakfærir þær.',
    ],
    lookUp: {
      'posted-and-draft':
        'Í þessu bókhaldskerfi má leita að færslum og drögum: brúin leitar áður en hún sendir aftur.',
      posted: 'Þetta bókhaldskerfi sýnir aðeins bókaðar færslur: finnist engin, skoðar manneskja málið.',
      none: 'Ekki er hægt að leita í þessu bókhaldskerfi: það sem er óvíst er lagt til hliðar og manneskja skoðar.',
    },
    originals: 'Frumrit',
    kept: (attach, years) =>
      `PDF-skjöl, kvittanir og rafrænir reikningar eru sótt eftir bókun, geymd undir tætigildi sínu og ${attach ? 'hengd við færsluna þar sem bókhaldskerfið tekur við skrám' : 'ekki hengd við færslur'}. Þau eru varðveitt í a.m.k. ${String(years)} ár frá lokum ársins og aðeins fjarlægð þegar manneskja ákveður það.`,
    toldAfterwards:
      'Reikningakerfið fær ekki að vita að skjal sé bókað fyrr en frumrit þess eru komin að færslunni, geymd, eða víst er að þau eru ekki til.',
    notKept: 'Brúin geymir ekki frumrit: þau eru í reikningakerfinu.',
  },
};
