// An ERP may repeat in its messages what it was sent, and what an adapter says goes into records and before people. So the
// secrets of this process are cut out here, once for all adapters, and before anybody shortens the text.
import type { Message, Param, Told } from '../domain/message.js';
import { maskSecrets } from '../domain/secret.js';
import type { ErpAdapter, ErpEntry } from './erp-adapter.js';
import { type AroundErp, ErpAround } from './erp-around.js';

export function discreet(erp: ErpAdapter): ErpAdapter {
  return new ErpAround(erp, DISCREET);
}

const DISCREET: AroundErp = { around: (_call, act) => masked(act), entries: maskedEntries };

async function masked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return withoutSecrets(await ask());
  } catch (error) {
    throw hushed(error);
  }
}

async function* maskedEntries(read: () => AsyncIterable<ErpEntry>): AsyncIterable<ErpEntry> {
  try {
    yield* read();
  } catch (error) {
    throw hushed(error);
  }
}

function withoutSecrets<Answer>(answer: Answer): Answer {
  if (Array.isArray(answer)) return answer.map(withoutSecrets) as Answer;
  if (typeof answer !== 'object' || answer === null || !('message' in answer)) return answer;
  return typeof answer.message === 'string' ? { ...answer, ...hushedWords(answer as Told) } : answer;
}

/** A value repeats what the ERP said too, in one of its gaps. */
function hushedWords({ message, said }: Told): Told {
  const hushed = maskSecrets(message);
  if (said === undefined) return { message: hushed };
  return { message: hushed, said: hushedValue(said) };
}

function hushedValue({ code, params }: Message): Message {
  const masked = (param: Param): Param => {
    if (typeof param === 'string') return maskSecrets(param);
    if (typeof param !== 'object') return param;
    return Array.isArray(param)
      ? (param as readonly Message[]).map(hushedValue)
      : hushedValue(param as Message);
  };
  return {
    code,
    params: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, masked(param)])),
  };
}

/** The same error, so that its kind, its code and its cause stay what they are. */
function hushed(error: unknown): unknown {
  if (error instanceof Error) error.message = maskSecrets(error.message);
  return error;
}
