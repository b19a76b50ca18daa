import { DOMParser, type XmlElementNode } from '@xmldom/xmldom/lib/index.js';
import { isRecord, ownValue, recordOf } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';

export interface XmlLimits {
  readonly maxBytes: number;
  readonly maxElements: number;
  /** In all elements together. */
  readonly maxAttributes: number;
  /** Also refuses comments, CDATA and processing instructions: no message needs them, and attacks do. */
  readonly strict: boolean;
}

/** An element in the form in which node-saml returns signed ones: attributes under "$", text under "_", children in lists. */
export type XmlElement = Readonly<Record<string, unknown>>;

const maxDepth = 64;
const maxTagLength = 16 * 1024;

/**
 * Checks and parses XML, and returns an element with the root as its only child. Elements and text are what the parser finds
 * with which node-saml verifies signatures, so no text can mean one thing here and another there. The names of elements lose
 * their prefix: `md:EntityDescriptor` becomes EntityDescriptor.
 *
 * @throws Problem(too-large) if it has more bytes than the limit
 * @throws Problem(invalid-input) if it exceeds another limit, has a DOCTYPE, or is not well-formed
 */
export function readXml(text: string, limits: XmlLimits): XmlElement {
  checkXml(text, limits);
  const locator: { lineNumber?: number; columnNumber?: number } = {};
  const errorHandler = (): never => {
    // The parser would correct what it warns of. Its messages quote the text, so they are not shown.
    const { lineNumber = 1, columnNumber = 1 } = locator;
    throw wrong(`The XML is not well-formed at line ${lineNumber}, column ${columnNumber}.`);
  };
  try {
    const root = new DOMParser({ locator, errorHandler }).parseFromString(text, 'text/xml').documentElement;
    return { [root.localName]: [toElement(root)] };
  } catch {
    return errorHandler();
  }
}

function toElement({ attributes, childNodes }: XmlElementNode): XmlElement {
  const element: Record<string, unknown> = Object.create(null);
  element['$'] = Object.fromEntries(
    Array.from(attributes, ({ nodeName, nodeValue }) => [nodeName, nodeValue]),
  );
  let text = '';
  for (const node of Array.from(childNodes))
    if ('localName' in node && node.tagName !== undefined)
      ((element[node.localName] ??= []) as XmlElement[]).push(toElement(node));
    else if (/^#(?:text|cdata-section)$/.test(node.nodeName)) text += node.nodeValue ?? '';
  // Elements named "_" stay: what is in them is checked too.
  if (text.trim() !== '') element['_'] ??= text;
  return element;
}

/** Lists the child elements of a name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  const value = ownValue(element, name);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Copies the attributes of an element to an object without a prototype. */
export function attributesOf({ $: attributes }: XmlElement): Record<string, string> {
  return Object.assign(Object.create(null), recordOf(attributes));
}

/** Reads the text of an element, trimmed; "" if the element has children. */
export function textOf(element: XmlElement): string {
  const isPlain = Object.keys(element).every((key) => key === '_' || key === '$');
  return isPlain && typeof element['_'] === 'string' ? element['_'].trim() : '';
}

/**
 * Checks the limits, and that tags match, in one pass without recursion, before any parser reads the text. Throws like
 * `readXml`.
 */
export function checkXml(text: string, { maxBytes, maxElements, maxAttributes, strict }: XmlLimits): void {
  if (Buffer.byteLength(text) > maxBytes)
    throw new Problem('too-large', `The XML is larger than ${maxBytes >> 10} KiB.`);
  const open: string[] = [];
  let elements = 0;
  let attributes = 0;
  let end = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', end)) {
    if (open.length === 0) checkBlank(text, end, at);
    const next = text[at + 1];
    if (next === '!') {
      end = endOfMarkup(text, at, strict);
      continue;
    }
    if (next === '?') {
      if (strict && !(at === 0 && text.startsWith('<?xml ')))
        throw wrong('The XML has processing instructions, which are not allowed.');
      end = endAfter(text, '?>', at);
      continue;
    }
    const tag = scanTag(text, at);
    end = tag.end;
    attributes += tag.attributes;
    if (next === '/') {
      const opened = open.pop();
      if (opened !== tag.name)
        throw notWellFormed(text, at, strict || !opened ? '' : `: </${tag.name}> ends <${opened}>`);
    } else {
      if (open.length === 0 && elements > 0) throw notWellFormed(text, at);
      elements++;
      if (text[end - 2] !== '/') open.push(tag.name);
    }
    if (open.length > maxDepth) throw wrong(`The XML is nested more than ${maxDepth} levels deep.`);
    if (elements > maxElements) throw wrong(`The XML has more than ${maxElements} elements.`);
    if (attributes > maxAttributes) throw wrong(`The XML has more than ${maxAttributes} attributes.`);
  }
  if (open.length > 0) throw notWellFormed(text, end, strict ? '' : `: <${open.at(-1)}> is never closed`);
  checkBlank(text, end, text.length);
  if (elements === 0) throw notWellFormed(text, 0);
}

/** Checks that there is no text outside the root. */
function checkBlank(text: string, from: number, to: number): void {
  if (text.slice(from, to).trim() !== '') throw notWellFormed(text, from);
}

function endOfMarkup(text: string, at: number, strict: boolean): number {
  if (strict) throw wrong('The XML has comments, CDATA or a DOCTYPE, which are not allowed.');
  if (text.startsWith('<!--', at)) return endAfter(text, '-->', at, 4);
  if (text.startsWith('<![CDATA[', at)) return endAfter(text, ']]>', at);
  throw wrong(`The XML has a DOCTYPE at ${describePosition(text, at)}, which is not allowed.`);
}

function endAfter(text: string, end: string, from: number, skip = 0): number {
  const at = text.indexOf(end, from + skip);
  if (at === -1)
    throw wrong(
      `The XML is not complete: the markup that begins at ${describePosition(text, from)} is never closed.`,
    );
  return at + end.length;
}

/** Finds the end of a tag, past each ">" in quoted values, counts these values, and reads the name of the element. */
function scanTag(
  text: string,
  start: number,
): { readonly name: string; readonly end: number; readonly attributes: number } {
  let quote = '';
  let attributes = 0;
  for (let at = start + 1; at < text.length && at - start < maxTagLength; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") [quote, attributes] = [char, attributes + 1];
    else if (char === '>') {
      const [, name = ''] = /^<\/?([^\s/>]*)/.exec(text.slice(start, at)) ?? [];
      return { name, end: at + 1, attributes };
    } else if (char === '<') break;
  }
  throw notWellFormed(text, start);
}

function describePosition(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}

function notWellFormed(text: string, at: number, reason = ''): Problem {
  return wrong(`The XML is not well-formed at ${describePosition(text, at)}${reason}.`);
}

function wrong(message: string): Problem {
  return new Problem('invalid-input', message);
}
