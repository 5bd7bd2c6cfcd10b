// From a checked call to the bytes of a request. The maintenance code is added here and only here: the URL is made from
// the base URL of the settings, so it cannot reach another origin.
import { trimEndOf } from '../domain/text.js';
import { stringify } from 'node:querystring';
import { FormData } from 'undici';
import { Decimal } from '../domain/money.js';
import { onceOf } from '../domain/once-of.js';
import type { Address, HttpRequest } from '../http/http-client.js';
import type { AnyEndpoint } from './endpoint.js';
import type { SourceSettings } from './source-settings.js';
import { writeJson } from './wire-json.js';
import { isFilePart } from './wire-types.js';

export type Params = Readonly<Record<string, unknown>>;

export interface RequestParts {
  readonly settings: SourceSettings;
  readonly endpoint: AnyEndpoint;
  readonly params: Params;
  readonly headers: Readonly<Record<string, string>>;
  /** Only upload-file has any. */
  readonly queryCredentials: Readonly<Record<string, string>>;
}

export function buildRequest(parts: RequestParts): HttpRequest {
  const { endpoint, settings } = parts;
  const { path, rest } = fillPath(endpoint.path, parts.params);
  const query: Record<string, string> = { ...parts.queryCredentials };
  if (endpoint.sends === 'query') for (const name of Object.keys(rest)) query[name] = fieldText(rest[name]);
  const { body, contentType } = bodyOf(endpoint.sends, rest);
  return {
    method: endpoint.method,
    url: addressOf(settings, path, query),
    headers: { accept: 'application/json', ...parts.headers, ...contentType },
    ...(body !== undefined && { body }),
    ...(endpoint.bodyBytesMax !== undefined && { bodyBytesMax: endpoint.bodyBytesMax }),
  };
}

/** An address at the service, with the maintenance code where and only where there is one. */
export function addressOf(
  settings: SourceSettings,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Address {
  const { origin, pathname } = baseOf(settings);
  const text = queryText(settings, query);
  return { origin, pathname: pathname + path, search: text === '' ? '' : `?${text}` };
}

/** Read once: every call goes there. */
const baseOf = onceOf((settings: SourceSettings): Pick<Address, 'origin' | 'pathname'> => {
  const { origin, pathname } = new URL(settings.baseUrl);
  return { origin, pathname: trimEndOf(pathname, '/') };
});

function queryText(settings: SourceSettings, query: Readonly<Record<string, string>>): string {
  return settings.environment === 'development'
    ? stringify({ en4_maint_code: settings.maintenanceCode.reveal(), ...query })
    : stringify(query);
}

function fillPath(template: string, params: Params): { path: string; rest: Params } {
  const rest: Record<string, unknown> = {};
  for (const name of Object.keys(params))
    if (params[name] !== undefined && !template.includes(`{${name}}`)) rest[name] = params[name];
  const path = template.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(fieldText(params[name])),
  );
  return { path, rest };
}

function bodyOf(
  sends: AnyEndpoint['sends'],
  params: Params,
): { body?: string | FormData; contentType: Record<string, string> } {
  switch (sends) {
    case 'query':
      return { contentType: {} };
    case 'form': {
      const fields: Record<string, string> = {};
      for (const name of Object.keys(params)) fields[name] = fieldText(params[name]);
      return {
        body: stringify(fields),
        contentType: { 'content-type': 'application/x-www-form-urlencoded' },
      };
    }
    case 'json': {
      const { data, ...rest } = params;
      const body = writeJson(data === undefined ? rest : { ...rest, data: writeJson(data) });
      return { body, contentType: { 'content-type': 'application/json' } };
    }
    case 'multipart':
      return { body: multipart(params), contentType: {} };
  }
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

export function contentTypeOf(fileName: string): string {
  return CONTENT_TYPES[fileName.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

function multipart(params: Params): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) {
    if (isFilePart(value)) {
      const blob = new Blob([new Uint8Array(value.content)], { type: contentTypeOf(value.fileName) });
      form.set(name, blob, value.fileName);
    } else form.set(name, fieldText(value));
  }
  return form;
}

/** Form and query fields are text; booleans travel as 1 and 0, as the documents' examples do. Half a character cannot be written in either. */
function fieldText(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Decimal.isDecimal(value)) return value.toFixed();
  return writeJson(value);
}
