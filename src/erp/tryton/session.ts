// Logged-in JSON-RPC. One log-in at a time; a session that has run out is renewed once and the call repeated, which is safe
// because a refused session comes before any effect.
import * as z from 'zod';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import type { HttpClient, HttpResponse } from '../../http/http-client.js';
import { readWireJson, writeWireJson } from '../../http/wire-json.js';
import { type Answer, asRead, type ReadAnswer } from '../answer.js';
import { failedSend, type Purpose } from '../erp-http.js';
import { told } from '../told.js';
import { judgeError, judgeStatus } from './dispositions.js';
import { wireSession } from './wire.js';

export interface TrytonSessionOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly database: string;
  readonly user: string;
  readonly password: Secret;
}

const LANGUAGE = 'en';
const rpcAnswer = z.union([
  z.object({ error: z.array(z.unknown()).min(1) }),
  z.looseObject({ id: z.unknown(), result: z.unknown().optional() }),
]);

export class TrytonSession {
  readonly #options: TrytonSessionOptions;
  readonly #url: URL;
  #authorization: string | undefined;
  #userId = 0;
  #loggingIn: Promise<ReadAnswer<string>> | undefined;

  constructor(options: TrytonSessionOptions) {
    this.#options = options;
    this.#url = new URL(`${options.baseUrl}/${options.database}/`);
  }

  /** Calls with the context as the last parameter, as Tryton wants it. */
  async call<T>(
    method: string,
    parameters: readonly unknown[],
    schema: z.ZodType<T>,
    context: Readonly<Record<string, unknown>>,
    purpose: Purpose,
  ): Promise<Answer<T>> {
    const params = [...parameters, { language: LANGUAGE, ...context }];
    const authorization = this.#authorization ?? (await this.#logIn());
    if (typeof authorization !== 'string' && authorization.outcome !== 'ok') return authorization;
    const used = typeof authorization === 'string' ? authorization : authorization.value;
    const first = await this.#send(method, params, used);
    if (first.outcome === 'failed') return first.answer;
    if (first.response.status !== 401) return this.#decode(first.response, schema, purpose);
    if (this.#authorization === used) this.#authorization = undefined;
    const renewed = await this.#logIn();
    if (renewed.outcome !== 'ok') return renewed;
    const second = await this.#send(method, params, renewed.value);
    return second.outcome === 'failed' ? second.answer : this.#decode(second.response, schema, purpose);
  }

  /** Number of the user that is logged in. */
  async user(): Promise<ReadAnswer<number>> {
    const loggedIn = await this.#logIn();
    return loggedIn.outcome === 'ok' ? { outcome: 'ok', value: this.#userId } : loggedIn;
  }

  #logIn(): Promise<ReadAnswer<string>> {
    if (this.#authorization !== undefined)
      return Promise.resolve({ outcome: 'ok', value: this.#authorization });
    this.#loggingIn ??= this.#logInNow().finally(() => (this.#loggingIn = undefined));
    return this.#loggingIn;
  }

  async #logInNow(): Promise<ReadAnswer<string>> {
    const { user, password } = this.#options;
    const params = [user, { password: password.reveal() }, LANGUAGE];
    const sent = await this.#send('common.db.login', params);
    if (sent.outcome === 'failed') return asRead(sent.answer);
    if (sent.response.status === 404)
      return { outcome: 'auth', ...told('TRYTON_NO_DATABASE', { database: this.#options.database }) };
    const answer = asRead(this.#decode(sent.response, wireSession, 'read'));
    if (answer.outcome !== 'ok') return answer;
    const [userId, session] = answer.value;
    const token = Buffer.from(`${user}:${userId}:${session}`).toString('base64');
    this.#userId = userId;
    this.#authorization = `Session ${token}`;
    return { outcome: 'ok', value: this.#authorization };
  }

  async #send(method: string, params: readonly unknown[], authorization?: string) {
    const result = await this.#options.http.send({
      method: 'POST',
      url: this.#url,
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: writeWireJson({ id: 1, method, params }),
    });
    if (result.outcome === 'failure')
      return { outcome: 'failed', answer: failedSend(result, 'Tryton') } as const;
    return { outcome: 'answered', response: result } as const;
  }

  #decode<T>(response: HttpResponse, schema: z.ZodType<T>, purpose: Purpose): Answer<T> {
    if (response.status !== 200) return judgeStatus(response, purpose, this.#options.clock.now());
    const answer = rpcAnswer.safeParse(readWireJson(response.body));
    if (!answer.success) return { outcome: 'unknown', ...told('SYSTEM_NOT_ITSELF', { system: 'Tryton' }) };
    if ('error' in answer.data && Array.isArray(answer.data.error)) return judgeError(answer.data.error);
    const result = schema.safeParse('result' in answer.data ? answer.data.result : null);
    if (result.success) return { outcome: 'ok', value: result.data };
    const problem = z.prettifyError(result.error);
    return { outcome: 'unknown', ...told('SYSTEM_UNREADABLE', { system: 'Tryton', problem }) };
  }
}
