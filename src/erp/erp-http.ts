// The HTTP client of an adapter. It asks the gate of the connection before each exchange and tells it what the server wished, so that no
// adapter can forget to.
import { createHttpClient, type HttpClient, type HttpClientOptions } from '../http/http-client.js';
import type { ErpServices } from './erp-adapter.js';

export function erpHttpClient(
  { gate }: Pick<ErpServices, 'gate'>,
  options: Omit<HttpClientOptions, 'gate' | 'userAgent'>,
): HttpClient {
  return createHttpClient({ ...options, userAgent: 'ledgerbridge', gate });
}
