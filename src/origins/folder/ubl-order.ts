// A UBL 2.1 order as XML. Elements are found by namespace, not by prefix.
import { readXml, type XmlElement } from '../../pipeline/mapping/ubl/read-xml.js';
import { told, type Words } from '../told.js';

const ORDER = 'urn:oasis:names:specification:ubl:schema:xsd:Order-2';
export const CAC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
export const CBC = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

/** Words: it is none. */
export function orderIn(text: string): XmlElement | Words {
  const read = readXml(text.replace(/^\uFEFF/, ''));
  if (read.outcome === 'unreadable') return told('FILE_NO_XML', { why: read.problem });
  const { root } = read;
  return root.name === 'Order' && root.namespace === ORDER ? root : told('NO_UBL_ORDER');
}

export function at(element: XmlElement, ...names: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of names) found = found && children(found, CAC, name)[0];
  return found;
}

export function textAt(element: XmlElement, name: string): string {
  return children(element, CBC, name)[0]?.text.trim() ?? '';
}

export function textIn(element: XmlElement | undefined, name: string): string {
  return element === undefined ? '' : textAt(element, name);
}

export function children(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === namespace && child.name === name);
}
