/** Undefined when it is no JSON: the schemas refuse that with a sentence of their own. Amounts are strings, so nothing is lost. */
export function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
