/**
 * A float of the documents is a JSON number, and a JSON number may be written `12400.00` as well as `12400`.
 * This service writes two decimals at least, as many servers do.
 */
const MARK = '\u0001';

export const float = (value: number): string =>
  `${MARK}${Number.isInteger(value) ? value.toFixed(2) : String(value)}${MARK}`;

export const maybeFloat = (value: number | null): string | null => (value === null ? null : float(value));

export const toJsonText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/"\\u0001(-?[\d.eE+-]+)\\u0001"/g, '$1');
