// What is told to a person, as a value: which sentence, and what stands in its gaps. Kept and compared as such; src/language
// makes the text of it where somebody reads it, so no program ever has to read a sentence.
export type Param = string | number | boolean | Message | readonly Message[] | undefined;
export type Params = Readonly<Record<string, Param>>;

export interface Message {
  readonly code: string;
  readonly params: Params;
}

/** Why a document rests: a stable code, and what it is about, by which problems are grouped. */
export interface Reason extends Message {
  readonly subject: string;
}

/** What an answer or an error says: for logs and programs in English, and as a value where the words are ours. */
export interface Told {
  readonly message: string;
  readonly said?: Message | undefined;
}

/** The words of an answer alone, to be handed on. */
export function wordsOf({ message, said }: Told): Told {
  return said === undefined ? { message } : { message, said };
}

/** A value that is longer than this is kept as text. */
export const KEPT_MAX = 1_500;

/** For one column of text, as `messageFrom` reads it. */
export function keptWords({ message, said }: Told, lengthMax = 500): string {
  const value = said === undefined ? '' : JSON.stringify(said);
  return value === '' || value.length > KEPT_MAX ? message.slice(0, lengthMax) : value;
}

/** For the details of an audit entry: English for programs, and the value for readers of another language. */
export function auditWords({ message, said }: Told): { readonly message: string; readonly said?: Message } {
  const text = message.slice(0, 500);
  return said === undefined || JSON.stringify(said).length > KEPT_MAX
    ? { message: text }
    : { message: text, said };
}

/** The text of a row from before texts were kept as values: shown as it was written. */
export function asWritten(text: string): Params {
  return { asWritten: text };
}

/** Kept in one column of text: a message as JSON, or what a person or an older version wrote there. */
export function messageFrom(kept: string): Message {
  if (!kept.startsWith('{"code":')) return { code: 'AS_WRITTEN', params: asWritten(kept) };
  try {
    return JSON.parse(kept) as Message;
  } catch {
    return { code: 'AS_WRITTEN', params: asWritten(kept) };
  }
}
