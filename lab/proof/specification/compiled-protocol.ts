// Made from spec/protocol.qnt by `npm run generate`. Change that file instead.

export interface Doc {
  readonly erp: string;
  readonly hasSource: boolean;
  readonly isAnew: boolean;
  readonly record: string;
  readonly attempt: string;
  readonly sends: number;
  readonly isInDoubt: boolean;
  readonly onItsWay: number;
  readonly books: number;
  readonly isUndone: boolean;
  readonly source: string;
  readonly isQuiet: boolean;
  readonly wasQuiet: boolean;
  readonly keyLives: boolean;
  readonly holder: string;
  readonly knows: Readonly<Record<string, string>>;
  readonly says: Readonly<Record<string, string>>;
}

export function blank(erp: string, hasSource: boolean): Doc {
  return {
    erp: erp,
    hasSource: hasSource,
    isAnew: false,
    record: 'open',
    attempt: 'none',
    sends: 0,
    isInDoubt: false,
    onItsWay: 0,
    books: 0,
    isUndone: false,
    source: 'Created',
    isQuiet: true,
    wasQuiet: true,
    keyLives: true,
    holder: '',
    knows: { a: 'nothing', b: 'nothing' },
    says: { a: 'nothing', b: 'nothing' },
  };
}

export function learns(d: Doc, w: string, what: string): Doc {
  return { ...d, knows: { ...d.knows, [w]: what } };
}

export function isOf(d: Doc, kinds: readonly string[]): boolean {
  return kinds.includes(d.erp);
}

export function canClaim(_d: Doc, w: string): boolean {
  return w !== '';
}
export function claim(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'nothing'), holder: w };
}

export function isClaimed(d: Doc, w: string): boolean {
  return d.holder === w;
}

export function isAlive(d: Doc): boolean {
  return d.keyLives;
}

export function canIntend(d: Doc, w: string): boolean {
  return (
    isClaimed(d, w) &&
    d.record === 'open' &&
    ['none', 'void'].includes(d.attempt) &&
    (['found', 'absent'].includes(d.knows[w] ?? 'nothing') ||
      !d.isInDoubt ||
      isOf(d, ['unique-reference'])) &&
    (!d.isInDoubt || (d.knows[w] ?? 'nothing') === 'found' || !isOf(d, ['posted-only', 'none']))
  );
}
export function intend(d: Doc, w: string): Doc {
  return {
    ...learns(d, w, (d.knows[w] ?? 'nothing') === 'found' ? 'found' : 'ready'),
    attempt: 'open',
    sends: 1,
    keyLives: true,
    isInDoubt: d.isInDoubt && !['found', 'absent'].includes(d.knows[w] ?? 'nothing'),
  };
}

export function canResend(d: Doc, w: string): boolean {
  return (
    isClaimed(d, w) &&
    d.record === 'open' &&
    d.attempt === 'open' &&
    (isOf(d, ['unique-reference']) ||
      (isOf(d, ['native-key']) &&
        isAlive(d) &&
        (!d.isInDoubt || ['unseen', 'absent'].includes(d.knows[w] ?? 'nothing'))) ||
      (isOf(d, ['look-up']) && (d.knows[w] ?? 'nothing') === 'absent'))
  );
}
export function resend(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'ready'), sends: 2 };
}

export function canSend(d: Doc, w: string): boolean {
  return (d.knows[w] ?? 'nothing') === 'ready' && d.holder === w && (d.sends === 1 || isAlive(d));
}
export function send(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'waiting'), onItsWay: d.onItsWay + 1, wasQuiet: d.isQuiet, isQuiet: false };
}

export function canVoid(d: Doc, w: string): boolean {
  return (
    isClaimed(d, w) &&
    d.attempt === 'open' &&
    ((d.sends === 1 && ['ready', 'refused'].includes(d.knows[w] ?? 'nothing')) ||
      (d.knows[w] ?? 'nothing') === 'surely-refused')
  );
}
export function voidAttempt(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'nothing'), attempt: 'void' };
}

export function canBook(d: Doc, w: string): boolean {
  return (
    isClaimed(d, w) &&
    d.attempt === 'open' &&
    ((d.knows[w] ?? 'nothing') === 'found' || ((d.knows[w] ?? 'nothing') === 'taken' && isOf(d, ['none'])))
  );
}
export function book(d: Doc, _w: string): Doc {
  return { ...d, attempt: 'booked', record: 'booked', isInDoubt: false };
}

export function canPark(d: Doc, w: string): boolean {
  return isClaimed(d, w) && d.record !== 'acknowledged';
}
export function park(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'nothing'), record: 'parked' };
}

export function canParkInDoubt(d: Doc, w: string): boolean {
  return isClaimed(d, w) && d.isInDoubt;
}
export function parkInDoubt(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'nothing'), record: 'parked', attempt: 'open', sends: 1, isInDoubt: false };
}

export function canDecide(d: Doc, w: string): boolean {
  return (
    (w === '' || isClaimed(d, w)) &&
    (!(d.attempt === 'booked') || d.isUndone) &&
    d.attempt !== 'open' &&
    (!d.isInDoubt || w === '' || isOf(d, ['none']) || (d.knows[w] ?? 'nothing') === 'absent')
  );
}
export function decide(d: Doc, w: string): Doc {
  return { ...(w === '' ? { ...d, holder: '' } : learns(d, w, 'nothing')), record: 'decided' };
}

export function isShown(d: Doc, w: string): boolean {
  return d.attempt === 'open' && (d.knows[w] ?? 'nothing') === 'found';
}

export function canSayPosted(d: Doc, w: string): boolean {
  return d.hasSource && isClaimed(d, w) && (d.attempt === 'booked' || isShown(d, w));
}
export function sayPosted(d: Doc, w: string): Doc {
  return { ...d, says: { ...d.says, [w]: 'Posted' } };
}

export function canSayDecided(d: Doc, w: string): boolean {
  return d.hasSource && isClaimed(d, w) && d.record === 'decided';
}
export function sayDecided(d: Doc, w: string): Doc {
  return { ...d, says: { ...d.says, [w]: 'decided' } };
}

export function canAcknowledge(d: Doc, w: string): boolean {
  return isClaimed(d, w) && d.record === 'booked' && (!d.hasSource || d.source === 'Posted');
}
export function acknowledge(d: Doc, _w: string): Doc {
  return { ...d, record: 'acknowledged' };
}

export function canGoOn(d: Doc, w: string): boolean {
  return ['parked', 'decided'].includes(d.record) && (w === '' || isClaimed(d, w));
}
export function goOn(d: Doc, w: string): Doc {
  return { ...d, record: d.attempt === 'booked' && !d.isUndone ? 'booked' : 'open', holder: w };
}

export function canSayAbsent(d: Doc): boolean {
  return d.record === 'parked' && ['open', 'void'].includes(d.attempt) && d.isQuiet && d.books === 0;
}
export function sayAbsent(d: Doc): Doc {
  return { ...d, attempt: 'void', holder: '' };
}

export function canDoubt(d: Doc): boolean {
  return d.record === 'parked' && ['open', 'void'].includes(d.attempt) && d.sends > 0;
}
export function doubt(d: Doc): Doc {
  return { ...d, attempt: 'open', sends: 2 };
}

export function canUndo(d: Doc): boolean {
  return d.books > 0;
}
export function undo(d: Doc): Doc {
  return { ...d, isUndone: true };
}

export function canReverse(d: Doc, w: string): boolean {
  return isClaimed(d, w) && d.isUndone && d.attempt === 'booked';
}
export function reverse(d: Doc, _w: string): Doc {
  return { ...d, record: 'reversed' };
}

export function canTellPosted(d: Doc, w: string): boolean {
  return (d.says[w] ?? 'nothing') === 'Posted';
}
export function tellPosted(d: Doc, w: string): Doc {
  return { ...d, source: 'Posted', says: { ...d.says, [w]: 'nothing' } };
}

export function canTellDecided(d: Doc, w: string): boolean {
  return (d.says[w] ?? 'nothing') === 'decided' && d.source !== 'Posted';
}
export function tellDecided(d: Doc, w: string): Doc {
  return { ...d, source: 'decided', says: { ...d.says, [w]: 'nothing' } };
}

export function canGoUnheard(d: Doc, w: string): boolean {
  return (d.says[w] ?? 'nothing') !== 'nothing';
}
export function goUnheard(d: Doc, w: string): Doc {
  return { ...d, says: { ...d.says, [w]: 'nothing' } };
}

export function canArrive(d: Doc): boolean {
  return d.onItsWay > 0;
}
export function arrive(d: Doc): Doc {
  const isTheSame = d.books > 0 && (isOf(d, ['unique-reference']) || (isOf(d, ['native-key']) && d.keyLives));
  return { ...d, onItsWay: d.onItsWay - 1, books: isTheSame ? d.books : d.books + 1 };
}

export function canLose(d: Doc): boolean {
  return d.onItsWay > 0;
}
export function lose(d: Doc): Doc {
  return { ...d, onItsWay: d.onItsWay - 1 };
}

export function canRefuse(d: Doc, w: string): boolean {
  return d.onItsWay > 0 && (d.knows[w] ?? 'nothing') === 'waiting';
}
export function refuse(d: Doc, w: string): Doc {
  return { ...learns(d, w, 'refused'), onItsWay: d.onItsWay - 1, isQuiet: d.wasQuiet && d.onItsWay === 1 };
}

export function canAnswer(d: Doc, w: string): boolean {
  return d.books > 0 && (d.knows[w] ?? 'nothing') === 'waiting';
}
export function answer(d: Doc, w: string): Doc {
  return learns(d, w, 'taken');
}

export function canGiveUp(d: Doc, w: string): boolean {
  return (d.knows[w] ?? 'nothing') === 'waiting';
}
export function giveUp(d: Doc, w: string): Doc {
  return learns(d, w, 'unsure');
}

export function canFind(d: Doc, _w: string): boolean {
  return d.books === 1 && !isOf(d, ['none']);
}
export function find(d: Doc, w: string): Doc {
  return learns(d, w, 'found');
}

export function canMiss(d: Doc, _w: string): boolean {
  return (d.books === 0 || isOf(d, ['posted-only'])) && !isOf(d, ['none']);
}
export function isSure(d: Doc): boolean {
  return d.isQuiet;
}

export function miss(d: Doc, w: string): Doc {
  return (d.knows[w] ?? 'nothing') === 'ready'
    ? d
    : learns(
        d,
        w,
        !isSure(d) ? 'unseen' : (d.knows[w] ?? 'nothing') === 'refused' ? 'surely-refused' : 'absent',
      );
}

export function canPass(d: Doc): boolean {
  return d.onItsWay === 0 && !d.isQuiet;
}
export function pass(d: Doc): Doc {
  return { ...d, isQuiet: true };
}

export function canOutlive(d: Doc): boolean {
  return isOf(d, ['native-key']) && d.onItsWay === 0 && d.sends > 0;
}
export function outlive(d: Doc): Doc {
  return { ...d, keyLives: false };
}

export function restore(d: Doc, was: Doc): Doc {
  return {
    ...d,
    record: was.record,
    attempt: was.attempt,
    sends: was.sends,
    holder: '',
    isInDoubt: true,
    isQuiet: false,
    knows: blank(d.erp, d.hasSource).knows,
  };
}

export function isOnce(d: Doc): boolean {
  return d.books <= 1;
}

export function isPostedWithEntry(d: Doc): boolean {
  return !(d.source === 'Posted' && !d.isAnew) || d.books > 0;
}

export function isBookedWithEntry(d: Doc): boolean {
  return !['booked', 'acknowledged'].includes(d.record) || d.books > 0;
}

export function isDecidedWithout(d: Doc): boolean {
  return !(d.record === 'decided' && !d.isInDoubt) || d.books === 0 || d.isUndone;
}

export function isKnown(d: Doc): boolean {
  return !((d.onItsWay > 0 || d.books > 0) && !d.isInDoubt) || ['open', 'booked'].includes(d.attempt);
}

export function isTold(d: Doc): boolean {
  return !(d.record === 'acknowledged' && d.hasSource) || d.source === 'Posted';
}

export function isKept(d: Doc): boolean {
  return (
    isOnce(d) &&
    isPostedWithEntry(d) &&
    isBookedWithEntry(d) &&
    isDecidedWithout(d) &&
    isKnown(d) &&
    isTold(d)
  );
}

export const STEPS = {
  claim: { can: canClaim, go: claim, byWorker: true },
  intend: { can: canIntend, go: intend, byWorker: true },
  resend: { can: canResend, go: resend, byWorker: true },
  send: { can: canSend, go: send, byWorker: true },
  voidAttempt: { can: canVoid, go: voidAttempt, byWorker: true },
  book: { can: canBook, go: book, byWorker: true },
  park: { can: canPark, go: park, byWorker: true },
  parkInDoubt: { can: canParkInDoubt, go: parkInDoubt, byWorker: true },
  decide: { can: canDecide, go: decide, byWorker: true },
  sayPosted: { can: canSayPosted, go: sayPosted, byWorker: true },
  sayDecided: { can: canSayDecided, go: sayDecided, byWorker: true },
  acknowledge: { can: canAcknowledge, go: acknowledge, byWorker: true },
  goOn: { can: canGoOn, go: goOn, byWorker: true },
  sayAbsent: { can: canSayAbsent, go: sayAbsent, byWorker: false },
  doubt: { can: canDoubt, go: doubt, byWorker: false },
  undo: { can: canUndo, go: undo, byWorker: false },
  reverse: { can: canReverse, go: reverse, byWorker: true },
  tellPosted: { can: canTellPosted, go: tellPosted, byWorker: true },
  tellDecided: { can: canTellDecided, go: tellDecided, byWorker: true },
  goUnheard: { can: canGoUnheard, go: goUnheard, byWorker: true },
  arrive: { can: canArrive, go: arrive, byWorker: false },
  lose: { can: canLose, go: lose, byWorker: false },
  refuse: { can: canRefuse, go: refuse, byWorker: true },
  answer: { can: canAnswer, go: answer, byWorker: true },
  giveUp: { can: canGiveUp, go: giveUp, byWorker: true },
  find: { can: canFind, go: find, byWorker: true },
  miss: { can: canMiss, go: miss, byWorker: true },
  pass: { can: canPass, go: pass, byWorker: false },
  outlive: { can: canOutlive, go: outlive, byWorker: false },
} as const;
