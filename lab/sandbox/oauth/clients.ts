// Registered applications. Registration is idempotent on (user, name, redirect_uri), and a secret is shown once.
import type { Random } from '../random.js';

export interface OAuthClient {
  readonly client_id: string;
  client_secret: string;
  readonly name: string;
  readonly description: string;
  readonly redirect_uri: string;
  /** Username of whoever registered it. */
  readonly owner: string;
  /** Flagged by the operator: any user may consent, not the owner alone. */
  readonly app: boolean;
  /** Without a secret; PKCE is then a must. */
  readonly isPublic: boolean;
}

export interface ClientRegistration {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly redirect_uri: string;
  readonly app?: boolean;
  readonly isPublic?: boolean;
}

const CLIENTS_MAX = 10_000;

export class ClientRegister {
  readonly #clients = new Map<string, OAuthClient>();
  readonly #byKey = new Map<string, OAuthClient>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  get(clientId: string): OAuthClient | undefined {
    return this.#clients.get(clientId);
  }

  find(registration: ClientRegistration): OAuthClient | undefined {
    return this.#byKey.get(keyOf(registration));
  }

  create(registration: ClientRegistration): OAuthClient {
    if (this.#clients.size >= CLIENTS_MAX) throw new RangeError(`At most ${CLIENTS_MAX} clients`);
    const client: OAuthClient = {
      client_id: `agent_${this.#random.token(12)}`,
      client_secret: this.#random.token(32),
      name: registration.name,
      description: registration.description,
      redirect_uri: registration.redirect_uri,
      owner: registration.owner,
      app: registration.app ?? false,
      isPublic: registration.isPublic ?? false,
    };
    this.#clients.set(client.client_id, client);
    this.#byKey.set(keyOf(registration), client);
    return client;
  }

  /** The old secret ends; tokens already issued stay valid. */
  rotateSecret(client: OAuthClient): string {
    client.client_secret = this.#random.token(32);
    return client.client_secret;
  }
}

function keyOf({ owner, name, redirect_uri }: ClientRegistration): string {
  return JSON.stringify([owner, name, redirect_uri]);
}
