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
  readonly depth: number;
  readonly around: OpenElement | undefined;
  /** Its own, which grow until it is closed. */
  readonly element: Omit<XmlElement, 'children' | 'text'> & { readonly children: XmlElement[]; text: string };
}

const NAME = /[A-Za-z_\u00c0-\ufffd][\w.\u00b7-\ufffd-]*(?::[A-Za-z_\u00c0-\ufffd][\w.\u00b7-\ufffd-]*)?/y;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const EMPTY_END = /\s*\/>/y;
const CLOSE_END = /\s*>/y;
/** Range by range: to look for whatever is none of the permitted ones takes more than twice as long. */
const FORBIDDEN_CHARACTER = new RegExp(`[${['\0-\b', '\v\f', '\x0e-\x1f', '\ufffe\uffff'].join('')}]`);
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
  #inside: OpenElement | undefined;
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
    if (this.#inside) throw new NotWellFormed(`<${this.#inside.written}> is not closed`);
    if (this.#root === null) throw new NotWellFormed('it holds no element');
    return this.#root;
  }

  #takeText(text: string): void {
    if (this.#inside) this.#inside.element.text += decodeReferences(text);
    else if (text.trim() !== '') throw new NotWellFormed('there is text outside the document');
  }

  #takeMarkup(): void {
    const kind = this.#source.charAt(this.#at + 1);
    if (kind === '/') this.#closeElement();
    else if (kind === '?') this.#skipPast('?>', 2);
    else if (kind === '!') this.#takeDeclaration();
    else this.#openElement();
  }

  #takeDeclaration(): void {
    if (this.#source.startsWith('<!--', this.#at)) this.#skipPast('-->', 4);
    else if (this.#source.startsWith('<![CDATA[', this.#at)) this.#takeCharacterData();
    else throw new NotWellFormed('document types and entities are not read');
  }

  #skipPast(mark: string, from: number): void {
    const found = this.#source.indexOf(mark, this.#at + from);
    if (found === -1) throw new NotWellFormed(`"${mark}" is missing`);
    this.#at = found + mark.length;
  }

  #takeCharacterData(): void {
    const from = this.#at + '<![CDATA['.length;
    this.#skipPast(']]>', '<![CDATA['.length);
    if (!this.#inside) throw new NotWellFormed('there is text outside the document');
    this.#inside.element.text += this.#source.slice(from, this.#at - ']]>'.length);
  }

  #openElement(): void {
    this.#at += 1;
    const from = this.#at;
    if (!this.#skip(NAME)) throw new NotWellFormed('a "<" does not begin an element');
    const written = this.#source.slice(from, this.#at);
    const around = this.#inside;
    const depth = (around?.depth ?? 0) + 1;
    if (this.#root !== null && !around) throw new NotWellFormed('it holds two documents');
    this.#elements += 1;
    if (this.#elements > XML_ELEMENTS_MAX) throw new NotWellFormed('it holds too many elements');
    if (depth > XML_DEPTH_MAX) throw new NotWellFormed('it is nested too deeply');
    const { scope, attributes } = declareNamespaces(
      around?.scope ?? OUTERMOST,
      this.#takeAttributes(written),
    );
    const { name, namespace } = resolve(written, scope);
    const element = { name, namespace, attributes, children: [], text: '' };
    if (around) around.element.children.push(element);
    else this.#root = element;
    if (this.#skipEnd()) this.#inside = { written, scope, depth, around, element };
    else if (!this.#skip(EMPTY_END)) throw new NotWellFormed(`<${written}> is not written as XML asks`);
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
    const opened = this.#inside?.written ?? '';
    this.#at += 2;
    const closed = this.#source.slice(this.#at, this.#at + opened.length);
    this.#at += opened.length;
    if (opened === '' || closed !== opened || !this.#skipEnd())
      throw new NotWellFormed(`<${opened}> is closed by something else`);
    this.#inside = this.#inside?.around;
  }

  /** Nearly every tag ends without white space, and a look at one character is quicker than a pattern. */
  #skipEnd(): boolean {
    if (this.#source.charAt(this.#at) !== '>') return this.#skip(CLOSE_END);
    this.#at += 1;
    return true;
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

function declareNamespaces(
  outer: Scope,
  written: ReadonlyMap<string, string>,
): { scope: Scope; attributes: ReadonlyMap<string, string> } {
  if (!declaresAny(written)) return { scope: outer, attributes: written };
  const attributes = new Map<string, string>();
  const declared = new Map<string, string>();
  for (const [name, value] of written) {
    if (name === 'xmlns') declared.set('', value);
    else if (name.startsWith('xmlns:')) declared.set(name.slice('xmlns:'.length), value);
    else attributes.set(name, value);
  }
  return { scope: declared.size === 0 ? outer : { declared, outer }, attributes };
}

function declaresAny(written: ReadonlyMap<string, string>): boolean {
  for (const name of written.keys()) if (name.startsWith('xmlns')) return true;
  return false;
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
