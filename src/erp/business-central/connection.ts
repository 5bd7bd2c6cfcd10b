// How Business Central is reached: its API and Microsoft's token end point, each request after the gate of the connection.
import { type AccessTokens, createClientCredentials } from '../../http/client-credentials.js';
import type { HttpClient } from '../../http/http-client.js';
import type { ErpServices } from '../erp-adapter.js';
import { erpHttpClient } from '../erp-http.js';
import type { BusinessCentralConfiguration } from './config.js';

export interface BcConnection {
  readonly http: HttpClient;
  readonly tokens: AccessTokens;
}

export function connectBc(
  { baseUrl, loginUrl, tenantId, clientId, clientSecret }: BusinessCentralConfiguration,
  services: ErpServices,
  connections: number,
  deadlineMs: number,
): BcConnection {
  const http = erpHttpClient(services, { origins: [baseUrl, loginUrl], connections, deadlineMs });
  const tokens = createClientCredentials({
    http,
    clock: services.clock,
    tokenUrl: new URL(`${loginUrl}/${tenantId}/oauth2/v2.0/token`),
    clientId,
    clientSecret: services.secret(clientSecret),
    scope: 'https://api.businesscentral.dynamics.com/.default',
    style: 'form',
  });
  return { http, tokens };
}
