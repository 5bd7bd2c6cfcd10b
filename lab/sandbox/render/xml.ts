// Just enough XML: elements, attributes and text, escaped, with the characters dropped that XML 1.0 cannot hold.

/** An element, or nothing where a value is missing. */
export type Xml = string | null;

export function element(
  name: string,
  content: string | readonly Xml[],
  attributes: Readonly<Record<string, string>> = {},
): string {
  const inside =
    typeof content === 'string' ? escaped(content) : content.filter((each) => each !== null).join('');
  const given = Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`)
    .join('');
  return `<${name}${given}>${inside}</${name}>`;
}

/** Nothing when the text is empty: UBL knows no empty elements. */
export function optionalElement(name: string, text: string): Xml {
  return text === '' ? null : element(name, text);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const IMPOSSIBLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text: string): string {
  return text.replace(IMPOSSIBLE, '').replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
