import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Problem } from '../errors/problem.ts';

export interface XmlLimits {
  readonly bytes: number;
  readonly elements: number;
  /** In all elements together. */
  readonly attributes: number;
  /** Whether comments, CDATA and processing instructions are refused as well: no message needs them, and attacks do. */
  readonly plain: boolean;
}

/** An element: attributes under "@name", its text under "#text", children by their names without prefix. */
export interface XmlElement {
  readonly [name: string]: unknown;
}

const depth = 64;
const longestTag = 16 * 1024;

/** Refuses XML that is no data before any parser sees it: too large or deep, with a DOCTYPE, or with what `plain` forbids. One pass, no recursion. */
export function checkXml(text: string, { bytes, elements, attributes, plain }: XmlLimits): void {
  if (Buffer.byteLength(text) > bytes)
    throw new Problem('too-large', `The XML is larger than ${bytes >> 10} KiB.`);
  let open = 0;
  let count = 0;
  let values = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text[at + 1];
    if (next === '!') {
      at = endOfMarkup(text, at, plain);
      continue;
    }
    if (next === '?') {
      if (plain && !(at === 0 && text.startsWith('<?xml ')))
        throw wrong('The XML has processing instructions, which are not taken.');
      at = after(text, '?>', at);
      continue;
    }
    const { end, quoted } = endOfTag(text, at);
    values += quoted;
    if (next === '/') open--;
    else {
      count++;
      if (text[end - 1] !== '/') open++;
    }
    if (open > depth) throw wrong(`The XML is nested more than ${depth} levels deep.`);
    if (count > elements) throw wrong(`The XML has more than ${elements} elements.`);
    if (values > attributes) throw wrong(`The XML has more than ${attributes} attributes.`);
    at = end + 1;
  }
}

function endOfMarkup(text: string, at: number, plain: boolean): number {
  if (plain) throw wrong('The XML has comments, CDATA or a DOCTYPE, which are not taken.');
  if (text.startsWith('<!--', at)) return after(text, '-->', at, 4);
  if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at);
  throw wrong(`The XML has a DOCTYPE at ${placeOf(text, at)}, which is not taken.`);
}

function after(text: string, end: string, from: number, skip = 0): number {
  const at = text.indexOf(end, from + skip);
  if (at === -1) throw wrong(`The XML is not complete: what begins at ${placeOf(text, from)} has no end.`);
  return at + end.length;
}

/** Where the ">" of a tag is, past those in the values of attributes, and how many of those it has. */
function endOfTag(text: string, start: number): { readonly end: number; readonly quoted: number } {
  let quote = '';
  let quoted = 0;
  for (let at = start + 1; at < text.length && at - start < longestTag; at++) {
    const one = text[at]!;
    if (quote !== '') quote = one === quote ? '' : quote;
    else if (one === '"' || one === "'") [quote, quoted] = [one, quoted + 1];
    else if (one === '>') return { end: at, quoted };
    else if (one === '<') break;
  }
  throw wrong(`The XML is not well-formed at ${placeOf(text, start)}.`);
}

function placeOf(text: string, at: number): string {
  const line = text.slice(0, at).split('\n').length;
  return `line ${line}, column ${at - text.lastIndexOf('\n', at - 1)}`;
}

/** Checks and parses XML. The names of elements lose their prefix, so `md:EntityDescriptor` is EntityDescriptor. */
export function readXml(text: string, limits: XmlLimits): XmlElement {
  checkXml(text, limits);
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw unformed(checked.err, limits);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: false,
    maxNestedTags: depth + 1,
    ignorePiTags: true,
    ignoreDeclaration: true,
  });
  try {
    const parsed: unknown = parser.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed as XmlElement;
  } catch {
    // Its words quote the text, which is nobody's business.
  }
  throw wrong('The XML is not well-formed.');
}

interface Fault {
  readonly msg: string;
  readonly line: number;
  /** Missing where there is nothing at all. */
  readonly col?: number;
}

/** Why is said to those who hold the file; of a message, nothing is quoted. */
function unformed({ msg, line, col = 1 }: Fault, { plain }: XmlLimits): Problem {
  const why = plain ? '' : ` ${msg.slice(0, 200).replace(/\.?$/, '.')}`;
  return wrong(`The XML is not well-formed at line ${line}, column ${col}.${why}`);
}

/** The child elements of a name, however many there are. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  const value = Object.hasOwn(element, name) ? element[name] : undefined;
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((child: unknown) =>
    typeof child === 'object' && child !== null ? (child as XmlElement) : { '#text': child },
  );
}

/** An attribute, with the five entities of XML put back. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  const value = Object.hasOwn(element, `@${name}`) ? element[`@${name}`] : undefined;
  return typeof value === 'string' ? unescape(value) : undefined;
}

export function textOf(element: XmlElement): string {
  const value = Object.hasOwn(element, '#text') ? element['#text'] : undefined;
  return typeof value === 'string' ? unescape(value).trim() : '';
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

function unescape(text: string): string {
  return text.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity]!);
}

function wrong(message: string): Problem {
  return new Problem('invalid-input', message);
}
