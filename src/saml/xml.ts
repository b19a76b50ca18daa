import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';

export interface XmlLimits {
  readonly maxBytes: number;
  readonly maxElements: number;
  /** In all elements together. */
  readonly maxAttributes: number;
  /** Also refuses comments, CDATA and processing instructions: no message needs them, and attacks do. */
  readonly strict: boolean;
}

/** An element: attributes under "@name", its text under "#text", children under their names without prefix. */
export type XmlElement = Readonly<Record<string, unknown>>;

const maxDepth = 64;
const maxTagLength = 16 * 1024;

/**
 * Checks and parses XML. The names of elements lose their prefix, so `md:EntityDescriptor` becomes EntityDescriptor.
 *
 * @throws Problem(too-large) if it has more bytes than the limit
 * @throws Problem(invalid-input) if it exceeds another limit, has a DOCTYPE, or is not well-formed
 */
export function readXml(text: string, limits: XmlLimits): XmlElement {
  checkXml(text, limits);
  // oxlint-disable-next-line typescript/no-deprecated -- its successor is another package, and does the same
  const checked = XMLValidator.validate(text);
  if (checked !== true) {
    // `col` is missing if there is no XML at all. The reason quotes the text, which only those who hold the file may see.
    const { msg, line, col = 1 } = checked.err as { msg: string; line: number; col?: number };
    const reason = limits.strict ? '' : ` ${msg.slice(0, 200).replace(/\.?$/, '.')}`;
    throw wrong(`The XML is not well-formed at line ${line}, column ${col}.${reason}`);
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: false,
    maxNestedTags: maxDepth + 1,
    ignorePiTags: true,
    ignoreDeclaration: true,
  });
  try {
    const parsed: unknown = parser.parse(text);
    if (isRecord(parsed)) return parsed;
  } catch {
    // The message of the parser quotes the text, so it is not shown.
  }
  throw wrong('The XML is not well-formed.');
}

/** Checks the limits in one pass without recursion, before any parser reads the text. Throws like `readXml`. */
export function checkXml(text: string, { maxBytes, maxElements, maxAttributes, strict }: XmlLimits): void {
  if (Buffer.byteLength(text) > maxBytes)
    throw new Problem('too-large', `The XML is larger than ${maxBytes >> 10} KiB.`);
  let open = 0;
  let elements = 0;
  let attributes = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text[at + 1];
    if (next === '!') {
      at = endOfMarkup(text, at, strict);
      continue;
    }
    if (next === '?') {
      if (strict && !(at === 0 && text.startsWith('<?xml ')))
        throw wrong('The XML has processing instructions, which are not allowed.');
      at = endAfter(text, '?>', at);
      continue;
    }
    const tag = scanTag(text, at);
    attributes += tag.attributes;
    if (next === '/') open--;
    else {
      elements++;
      if (text[tag.end - 1] !== '/') open++;
    }
    if (open > maxDepth) throw wrong(`The XML is nested more than ${maxDepth} levels deep.`);
    if (elements > maxElements) throw wrong(`The XML has more than ${maxElements} elements.`);
    if (attributes > maxAttributes) throw wrong(`The XML has more than ${maxAttributes} attributes.`);
    at = tag.end + 1;
  }
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

/** Finds the ">" of a tag, past those in quoted values, and counts the quoted values. */
function scanTag(text: string, start: number): { readonly end: number; readonly attributes: number } {
  let quote = '';
  let attributes = 0;
  for (let at = start + 1; at < text.length && at - start < maxTagLength; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") [quote, attributes] = [char, attributes + 1];
    else if (char === '>') return { end: at, attributes };
    else if (char === '<') break;
  }
  throw wrong(`The XML is not well-formed at ${describePosition(text, start)}.`);
}

function describePosition(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  return `line ${line}, column ${at - text.lastIndexOf('\n', at)}`;
}

/** Lists the child elements of a name. */
export function findChildren(element: XmlElement, name: string): XmlElement[] {
  const value = Object.hasOwn(element, name) ? element[name] : [];
  return (Array.isArray(value) ? value : [value]).map((child: unknown) =>
    isRecord(child) ? child : { '#text': child },
  );
}

/** Reads an attribute and decodes the entities of XML. */
export function readAttribute(element: XmlElement, name: string): string | undefined {
  const value = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === 'string' ? decodeEntities(value) : undefined;
}

/** Reads the text of an element, trimmed, and decodes the entities of XML. */
export function readText(element: XmlElement): string {
  const value = Object.hasOwn(element, '#text') ? element['#text'] : undefined;
  return typeof value === 'string' ? decodeEntities(value).trim() : '';
}

/**
 * Returns an element in the form in which node-saml returns signed ones: attributes under "$", its text under "_", children in
 * lists.
 */
export function parsedElement(element: XmlElement): Record<string, unknown> {
  const attributes: Record<string, string> = Object.create(null);
  const parsed: Record<string, unknown> = Object.create(null);
  parsed['$'] = attributes;
  for (const name of Object.keys(element))
    if (name.startsWith('@')) attributes[name.slice(1)] = readAttribute(element, name.slice(1)) ?? '';
    else if (name === '#text') parsed['_'] = readText(element);
    else parsed[name] = findChildren(element, name).map(parsedElement);
  return parsed;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return entities[name] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    },
  );
}

function wrong(message: string): Problem {
  return new Problem('invalid-input', message);
}
