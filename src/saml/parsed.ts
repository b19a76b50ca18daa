import { isRecord } from '../contract/values.ts';

/** An element as node-saml's parser gives it: attributes under "$", its text under "_", children in lists. */
export interface Parsed {
  readonly [name: string]: unknown;
}

/** The child elements of a name. */
export function childrenOf(element: Parsed, name: string): Parsed[] {
  const value = Object.hasOwn(element, name) ? element[name] : undefined;
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The attributes of an element, without a prototype. */
export function attributesOf(element: Parsed): Record<string, string> {
  return Object.assign(
    Object.create(null) as Record<string, string>,
    isRecord(element['$']) ? element['$'] : {},
  );
}

/** The text of an element that holds nothing else. */
export function textOf(element: Parsed): string {
  const isPlain = Object.keys(element).every((key) => key === '_' || key === '$');
  return isPlain && typeof element['_'] === 'string' ? element['_'].trim() : '';
}
