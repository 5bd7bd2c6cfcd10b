// Holds answers of the operator API against its OpenAPI document, as served.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Route } from '../../../src/api/route.js';
import { ROUTES } from '../../../src/api/routes.js';

export interface Answered {
  readonly status: number;
  readonly type: string;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
}

/** Empty when the answer is what the document says; otherwise what is wrong with it. */
export type Documented = (one: Route, answered: Answered) => string;

export async function openApiCheck(url: string): Promise<Documented> {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const judge = (pointer: string, body: unknown): string => {
    const check = ajv.getSchema(`api${encodeURI(pointer)}`);
    if (!check) return `nothing is documented at ${pointer}`;
    return check(body) ? '' : JSON.stringify(check.errors?.slice(0, 3));
  };
  return (one, { status, type, body }) => {
    const place = `#/paths/${one.path.replaceAll('/', '~1')}/${one.method}/responses`;
    const sentAs = type.split(';')[0]!.replaceAll('/', '~1');
    if (status === one.status) return judge(`${place}/${String(status)}/content/${sentAs}/schema`, body);
    if (sentAs !== 'application~1problem+json') return `${String(status)} is sent as ${type}`;
    if ((body as { status: number }).status !== status) return 'the status in the problem is another one';
    return judge(`${place}/default/content/${sentAs}/schema`, body);
  };
}

/** The route that serves a path below /api/v1. */
export function routeOf(method: string, path: string): Route | undefined {
  const parts = path.split('?')[0]!.split('/');
  const fits = (known: readonly string[]) =>
    known.length === parts.length &&
    known.every((part, index) => part.startsWith('{') || part === parts[index]);
  const found = ROUTES.filter((one) => one.method === method.toLowerCase() && fits(one.path.split('/')));
  return found.find((one) => one.path === path.split('?')[0]) ?? found[0];
}
