// XML as an e-invoice needs it and no more: elements, attributes, text, namespaces. A supplier's file is hostile until
// read, so there are no document types, no entities but the five of XML and character numbers, and a bound on the size,
// depth, number of elements and attributes. One pass, linear in the size; anything that is not well-formed is refused.
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  /** By the name as written, prefix and all; namespace declarations are not among them. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, entities decoded. */
  readonly text: string;
}

export type XmlReading =
  | { readonly outcome: 'read'; readonly root: XmlElement }
  | { readonly outcome: 'unreadable'; readonly problem: string };

export const XML_DEPTH_MAX = 32;
export const XML_ELEMENTS_MAX = 100_000;
export const XML_ATTRIBUTES_MAX = 64;

/** Thrown inside this file only; readXml turns it into an `unreadable` outcome. */
class NotWellFormed extends Error {}

/** The namespaces that an element declares, and the scope around it: copying that would cost every element all of them. */
interface Scope {
  readonly declared: ReadonlyMap<string, string>;
  readonly outer: Scope | null;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

interface OpenElement {
  readonly written: string;
  readonly scope: Scope;
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const NAME = /[A-Za-z_\u00c0-\ufffd][\w.\u00b7-\ufffd-]*(?::[A-Za-z_\u00c0-\ufffd][\w.\u00b7-\ufffd-]*)?/y;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const EMPTY_END = /\s*\/>/y;
const CLOSE_END = /\s*>/y;
const FORBIDDEN_CHARACTER = /[^\t\n\r\u0020-\ufffd]/;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const OUTERMOST: Scope = {
  declared: new Map([
    ['', ''],
    ['xml', XML_NAMESPACE],
  ]),
  outer: null,
};

export function readXml(text: string): XmlReading {
  try {
    if (FORBIDDEN_CHARACTER.test(text)) throw new NotWellFormed('it holds characters that XML forbids');
    return { outcome: 'read', root: new XmlScan(text).root() };
  } catch (error) {
    if (error instanceof NotWellFormed) return { outcome: 'unreadable', problem: error.message };
    throw error;
  }
}

class XmlScan {
  readonly #source: string;
  #at = 0;
  #elements = 0;
  readonly #open: OpenElement[] = [];
  #root: XmlElement | null = null;

  constructor(source: string) {
    this.#source = source;
  }

  root(): XmlElement {
    const source = this.#source;
    while (this.#at < source.length) {
      const bracket = source.indexOf('<', this.#at);
      const end = bracket === -1 ? source.length : bracket;
      if (end > this.#at) this.#takeText(source.slice(this.#at, end));
      this.#at = end;
      if (bracket !== -1) this.#takeMarkup();
    }
    if (this.#open.length > 0) throw new NotWellFormed(`<${this.#open.at(-1)?.written ?? ''}> is not closed`);
    if (this.#root === null) throw new NotWellFormed('it holds no element');
    return this.#root;
  }

  #takeText(text: string): void {
    const inside = this.#open.at(-1);
    if (inside) inside.text += decodeReferences(text);
    else if (text.trim() !== '') throw new NotWellFormed('there is text outside the document');
  }

  #takeMarkup(): void {
    const source = this.#source;
    if (source.startsWith('<!--', this.#at)) this.#skipPast('-->', 4);
    else if (source.startsWith('<?', this.#at)) this.#skipPast('?>', 2);
    else if (source.startsWith('<![CDATA[', this.#at)) this.#takeCharacterData();
    else if (source.startsWith('<!', this.#at))
      throw new NotWellFormed('document types and entities are not read');
    else if (source.startsWith('</', this.#at)) this.#closeElement();
    else this.#openElement();
  }

  #skipPast(mark: string, from: number): void {
    const found = this.#source.indexOf(mark, this.#at + from);
    if (found === -1) throw new NotWellFormed(`"${mark}" is missing`);
    this.#at = found + mark.length;
  }

  #takeCharacterData(): void {
    const from = this.#at + '<![CDATA['.length;
    this.#skipPast(']]>', '<![CDATA['.length);
    const inside = this.#open.at(-1);
    if (!inside) throw new NotWellFormed('there is text outside the document');
    inside.text += this.#source.slice(from, this.#at - ']]>'.length);
  }

  #openElement(): void {
    this.#at += 1;
    const from = this.#at;
    if (!this.#skip(NAME)) throw new NotWellFormed('a "<" does not begin an element');
    const written = this.#source.slice(from, this.#at);
    if (this.#root !== null && this.#open.length === 0) throw new NotWellFormed('it holds two documents');
    this.#elements += 1;
    if (this.#elements > XML_ELEMENTS_MAX) throw new NotWellFormed('it holds too many elements');
    if (this.#open.length >= XML_DEPTH_MAX) throw new NotWellFormed('it is nested too deeply');
    const outer = this.#open.at(-1)?.scope ?? OUTERMOST;
    const { scope, attributes } = declareNamespaces(outer, this.#takeAttributes(written));
    const { name, namespace } = resolve(written, scope);
    this.#open.push({ written, scope, attributes, name, namespace, children: [], text: '' });
    if (this.#skip(EMPTY_END)) this.#finishElement();
    else if (!this.#skip(CLOSE_END)) throw new NotWellFormed(`<${written}> is not written as XML asks`);
  }

  #takeAttributes(element: string): ReadonlyMap<string, string> {
    if (this.#source.charAt(this.#at) === '>') return NO_ATTRIBUTES;
    const attributes = new Map<string, string>();
    for (let found = this.#match(ATTRIBUTE); found; found = this.#match(ATTRIBUTE)) {
      const name = found[1] ?? '';
      if (attributes.has(name)) throw new NotWellFormed(`<${element}> has ${name} twice`);
      if (attributes.size >= XML_ATTRIBUTES_MAX)
        throw new NotWellFormed(`<${element}> has too many attributes`);
      attributes.set(name, decodeReferences(found[2] ?? found[3] ?? ''));
    }
    return attributes;
  }

  #closeElement(): void {
    const opened = this.#open.at(-1)?.written ?? '';
    this.#at += 2;
    const isSame = opened !== '' && this.#source.startsWith(opened, this.#at);
    this.#at += opened.length;
    if (!isSame || !this.#skip(CLOSE_END)) throw new NotWellFormed(`<${opened}> is closed by something else`);
    this.#finishElement();
  }

  #finishElement(): void {
    const { name, namespace, attributes, children, text } = this.#open.pop() ?? missing();
    const element = { name, namespace, attributes, children, text };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else this.#root = element;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const isFound = pattern.test(this.#source);
    if (isFound) this.#at = pattern.lastIndex;
    return isFound;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function missing(): never {
  throw new NotWellFormed('an element is closed that was not opened');
}

function declareNamespaces(
  outer: Scope,
  written: ReadonlyMap<string, string>,
): { scope: Scope; attributes: ReadonlyMap<string, string> } {
  if (written.size === 0) return { scope: outer, attributes: written };
  const attributes = new Map<string, string>();
  const declared = new Map<string, string>();
  for (const [name, value] of written) {
    if (name === 'xmlns') declared.set('', value);
    else if (name.startsWith('xmlns:')) declared.set(name.slice('xmlns:'.length), value);
    else attributes.set(name, value);
  }
  return { scope: declared.size === 0 ? outer : { declared, outer }, attributes };
}

/** Looks outwards through at most as many scopes as elements may be nested. */
function namespaceOf(prefix: string, innermost: Scope): string | undefined {
  for (let scope: Scope | null = innermost; scope !== null; scope = scope.outer) {
    const namespace = scope.declared.get(prefix);
    if (namespace !== undefined) return namespace;
  }
  return undefined;
}

function resolve(written: string, scope: Scope): { name: string; namespace: string } {
  const colon = written.indexOf(':');
  const prefix = colon === -1 ? '' : written.slice(0, colon);
  const namespace = namespaceOf(prefix, scope);
  if (namespace === undefined) throw new NotWellFormed(`the prefix ${prefix} is not declared`);
  return { name: written.slice(colon + 1), namespace };
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const REFERENCE = /&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-z]{2,4});/y;

function decodeReferences(text: string): string {
  let decoded = '';
  let from = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', from)) {
    REFERENCE.lastIndex = at;
    decoded += text.slice(from, at) + characterOf(REFERENCE.exec(text)?.[1] ?? '');
    from = REFERENCE.lastIndex;
  }
  return from === 0 ? text : decoded + text.slice(from);
}

function characterOf(reference: string): string {
  const named = NAMED.get(reference);
  if (named !== undefined) return named;
  const code = reference.startsWith('#x')
    ? Number.parseInt(reference.slice(2), 16)
    : Number(reference.slice(1));
  if (!reference.startsWith('#') || !isXmlCharacter(code)) {
    throw new NotWellFormed(`&${reference} stands for nothing that is read`);
  }
  return String.fromCodePoint(code);
}

function isXmlCharacter(code: number): boolean {
  if (code === 9 || code === 10 || code === 13) return true;
  return (
    code >= 0x20 &&
    code <= 0x10ffff &&
    !(code >= 0xd800 && code <= 0xdfff) &&
    code !== 0xfffe &&
    code !== 0xffff
  );
}
