// What people read, in both languages. Events come from the pipeline in English; those that a reader meets are put into Icelandic here.
export const WORDS = {
  en: {
    tagline: 'each document in the books exactly once',
    breakTitle: 'Try to book it twice',
    breakIntro:
      'One document, two replicas of the bridge, one ERP. This is the real program, stopped at every call: you decide what happens next. Lose answers, let replicas die or sleep, let requests come late. Then take a guard away and see what it was for.',
    erp: 'What the ERP can do',
    guard: 'Guards',
    allGuards: 'every guard is in place',
    without: 'without: ',
    restart: 'Begin anew',
    undo: 'Back',
    runOn: 'Let it run on',
    showStory: 'Show how it breaks',
    searching: 'Looking for the shortest way…',
    next: 'What happens next?',
    happened: 'What happened',
    seedTitle: 'A world of chance',
    seedIntro:
      'Some thirty documents, one to four replicas, operators, outages, forty-two hours. Everything follows from the seed: the installed program does the same, event by event.',
    seed: 'Seed',
    run: 'Run it',
    running: 'Running…',
    source: 'Invoicing service',
    replica: 'Replica',
    record: 'On record',
    network: 'On its way',
    books: 'The books',
    nothing: 'nothing',
    attempt: 'request: ',
    free: 'waits for work',
    works: 'at work',
    asleep: 'asleep',
    dead: 'dead',
    kept: 'At rest, and every promise is kept.',
    broken: 'A promise is broken: ',
    twice: 'Booked twice.',
    restful: 'Nothing more to decide.',
    result: (one) =>
      `${one.entries} entries, ${one.trace.length} events, digest ${one.digest.slice(0, 16)}…: `,
    keptAll: 'every promise is kept.',
    footer:
      'Nothing leaves this page. What is promised, what was tried, and what cannot be closed: docs/explanation/reliability.md.',
    kinds: {
      'native-key': 'replays by a key of ours',
      'unique-reference': 'refuses a second entry',
      'look-up': 'can be searched, drafts too',
      'look-up-two-step': 'the same, creates and posts apart',
      'posted-only': 'shows posted entries only',
      none: 'neither',
    },
  },
  is: {
    tagline: 'hvert skjal bókað nákvæmlega einu sinni',
    breakTitle: 'Reyndu að tvíbóka',
    breakIntro:
      'Eitt skjal, tvö eintök af brúnni, eitt bókhaldskerfi. Þetta er forritið sjálft, stöðvað við hvert kall: þú ræður hvað gerist næst. Týndu svörum, láttu eintök deyja eða sofna, láttu beiðnir berast seint. Taktu svo vörn í burtu og sjáðu til hvers hún var.',
    erp: 'Hvað bókhaldskerfið getur',
    guard: 'Varnir',
    allGuards: 'allar varnir á sínum stað',
    without: 'án: ',
    restart: 'Byrja upp á nýtt',
    undo: 'Til baka',
    runOn: 'Láta ganga áfram',
    showStory: 'Sýna hvernig það bregst',
    searching: 'Leita að stystu leiðinni…',
    next: 'Hvað gerist næst?',
    happened: 'Það sem gerðist',
    seedTitle: 'Heimur tilviljana',
    seedIntro:
      'Um þrjátíu skjöl, eitt til fjögur eintök, rekstrarfólk, bilanir, fjörutíu og tvær klukkustundir. Allt ræðst af fræinu: uppsetta forritið gerir það sama, atburð fyrir atburð.',
    seed: 'Fræ',
    run: 'Keyra',
    running: 'Í gangi…',
    source: 'Reikningakerfið',
    replica: 'Eintak',
    record: 'Skráð',
    network: 'Á leiðinni',
    books: 'Bækurnar',
    nothing: 'ekkert',
    attempt: 'beiðni: ',
    free: 'bíður verka',
    works: 'að verki',
    asleep: 'sefur',
    dead: 'dautt',
    kept: 'Komið í ró, og hvert loforð haldið.',
    broken: 'Loforð er brotið: ',
    twice: 'Bókað tvisvar.',
    restful: 'Ekkert meira að ákveða.',
    result: (one) =>
      `${one.entries} færslur, ${one.trace.length} atburðir, fingrafar ${one.digest.slice(0, 16)}…: `,
    keptAll: 'hvert loforð haldið.',
    footer:
      'Ekkert fer af þessari síðu. Hverju er lofað, hvað var reynt og hverju verður ekki lokað: docs/explanation/reliability.md.',
    kinds: {
      'native-key': 'þekkir endurtekningu á lykli',
      'unique-reference': 'hafnar annarri færslu',
      'look-up': 'leitanlegt, drög líka',
      'look-up-two-step': 'eins, stofnar og bókar hvort í sínu lagi',
      'posted-only': 'sýnir aðeins bókaðar færslur',
      none: 'hvorugt',
    },
  },
};

const STATES = {
  discovered: 'fundið',
  mapped: 'færsla gerð',
  posting: 'í bókun',
  posted: 'í bókunum',
  writing_back: 'verið að tilkynna',
  acknowledged: 'bókað',
  deferred: 'í bið',
  held: 'haldið',
  parked: 'bíður þín',
  skipped: 'sleppt',
  rejected: 'hafnað',
  orphaned: 'eytt hjá þjónustunni',
  reversed: 'bakfært',
  deleted: 'eytt',
  open: 'opin',
  unknown: 'óvíst',
  draft: 'drög',
  pending: 'í vinnslu',
  transient: 'ekki tekin',
  'never-sent': 'aldrei send',
};

const GUARDS = {
  'the lease and its fence': 'leigan og girðing hennar',
  'the fence of a commit alone': 'girðing staðfestingar ein og sér',
  'intent on record before a byte leaves': 'ásetningur skráður áður en bæti fer',
  'the look before a resend': 'leit áður en sent er aftur',
  'the wait before that look': 'bið fyrir þá leit',
  'the wait, where an ERP works on after we gave up':
    'biðin, þar sem kerfið vinnur áfram eftir að við hættum að bíða',
  'the moment until which a request may leave': 'stundin sem beiðni má fara til',
  'the doubt in what a proxy says (look-up)': 'efinn um orð milliþjóns (leitanlegt)',
  'the doubt in what a proxy says (posted only)': 'efinn um orð milliþjóns (aðeins bókað)',
  'the doubt in what a proxy says (neither)': 'efinn um orð milliþjóns (hvorugt)',
  'drafts in the look-up': 'drög í leitinni',
  'the life of a native key': 'líftími lykils',
  'parts told apart': 'hlutar aðgreindir',
  'the read-back of a status': 'endurlestur stöðu',
  'the content hash': 'fingrafar innihalds',
  'the look after a restore': 'leit eftir endurheimt',
  'the look for a settlement that was forgotten': 'leit að greiðslu sem gleymdist',
  'the wait after a restore': 'bið eftir endurheimt',
  'parking after a restore (neither)': 'lagt til hliðar eftir endurheimt (hvorugt)',
};

/** A state or a guard as people call it. */
export const named = (language, word) =>
  language === 'en' ? word.replace('_', ' ') : (STATES[word] ?? GUARDS[word] ?? word);

const ICELANDIC = [
  [/^1: the document is in the books (\d+) times$/, 'skjalið er $1 sinnum í bókunum'],
  [
    /^2: the source says Posted, and nothing is in the books$/,
    'reikningakerfið segir Posted og ekkert er í bókunum',
  ],
  [/^go on$/, 'áfram'],
  [/^(\w+) dies$/, '$1 deyr'],
  [/^(\w+) falls asleep$/, '$1 sofnar'],
  [/^(\w+) wakes up$/, '$1 vaknar'],
  [/^nothing runs for an hour$/, 'ekkert er í gangi í klukkustund'],
  [/^the request arrives$/, 'beiðnin berst'],
  [/^the request arrives, and its answer is lost$/, 'beiðnin berst en svarið týnist'],
  [/^the request is lost$/, 'beiðnin týnist'],
  [/^the request is late, and nobody waits for it$/, 'beiðnin er sein og enginn bíður hennar'],
  [/^a proxy says 503 while the ERP works on$/, 'milliþjónn segir 503 en bókhaldskerfið vinnur áfram'],
  [/^the ERP itself says that it is too busy$/, 'bókhaldskerfið segist sjálft of önnum kafið'],
  [/^the ERP itself refuses it for good$/, 'bókhaldskerfið hafnar henni alveg'],
  [/^the update is taken$/, 'uppfærslan er tekin'],
  [/^the update is lost$/, 'uppfærslan týnist'],
  [/^the update is taken, and the answer is lost$/, 'uppfærslan er tekin en svarið týnist'],
  [/^the source says yes and does nothing$/, 'reikningakerfið segir já og gerir ekkert'],
  [/^a request arrives that nobody waits for$/, 'beiðni berst sem enginn bíður lengur'],
  [/^(\w+) takes up the document, which is (.+)$/, '$1 tekur skjalið fyrir, staða: $2'],
  [/^(\w+) sends (\S+)$/, '$1 sendir $2'],
  [/^erp takes (\S+) as (\w+) \((.+)\)$/, 'bókhaldskerfið bókar $1 sem $2'],
  [/^source (\S+) = (.+)$/, 'reikningakerfið: $1 er $2'],
  [/^(\S+) was left claimed$/, '$1 lá eftir óklárað'],
  [/^a history that is lost now has sent it$/, 'saga sem nú er týnd hafði sent hana'],
  [/^a person edits the document$/, 'einhver breytir skjalinu'],
  [/^a person deletes the document$/, 'einhver eyðir skjalinu'],
];

export function inWords(language, said) {
  // A key is known by its beginning.
  const event = said.replace(/\b([A-Z][A-Z2-7]{3})[A-Z2-7]{16}\b/, '$1…');
  if (language === 'en') return event.replace(/^\d+: /, '');
  const move = /^(\S+) (\w+) → (\w+) \(.*\)$/.exec(event);
  if (move) return `${move[1]} ${named(language, move[2])} → ${named(language, move[3])}`;
  for (const [english, icelandic] of ICELANDIC)
    if (english.test(event)) return event.replace(english, icelandic);
  return event;
}
