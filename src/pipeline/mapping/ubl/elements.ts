// Elements of a document by namespace and name, step by step.
import type { XmlElement } from './read-xml.js';

type Step = readonly [namespace: string, name: string];

export function at(from: XmlElement, ...steps: readonly Step[]): XmlElement | undefined {
  let element: XmlElement | undefined = from;
  for (const [namespace, name] of steps) {
    element = element?.children.find((child) => child.name === name && child.namespace === namespace);
  }
  return element;
}

export function all(from: XmlElement, namespace: string, name: string): XmlElement[] {
  return from.children.filter((child) => child.name === name && child.namespace === namespace);
}

/** Empty where it is not there. */
export function text(from: XmlElement, ...steps: readonly Step[]): string {
  return at(from, ...steps)?.text.trim() ?? '';
}
