import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';
import { plural } from '../contract/values.ts';
import { describeUnclosed, syntaxFault, tabMessage, type YamlFault } from './yaml-mistakes.ts';

/** A parsed YAML document. Its ranges are offsets into the text. */
export type YamlDocument = Document.Parsed;

/** Limits of a text, which are checked before `yaml` composes it. */
export interface YamlLimits {
  /** Levels of nested maps and lists. */
  readonly depth: number;
  /** Number of tokens of the lexer: words, marks, spaces and line ends. Each takes about a microsecond. */
  readonly pieces: number;
  /** Length of one token, in characters. A scalar of many lines is one token. */
  readonly piece: number;
  /** Total length of all quoted texts of more than 100 characters. Each escape in them takes the memory of a value. */
  readonly quoted: number;
  readonly documents: number;
}

/** Maximum number of faults of a text. Each costs `yaml` about as much time as ten values. */
const maxFaults = 60;

/**
 * Parses the documents of a text with their ranges. It never throws because of the text. Each expensive or recursive pass runs
 * only after a check that makes it safe: it counts tokens, parses with a limited stack, and then composes.
 */
export function composeDocuments(
  text: string,
  limits: YamlLimits,
): { readonly documents: YamlDocument[]; readonly faults: YamlFault[] } {
  const oversize = checkPieces(text, limits);
  if (oversize !== undefined) return { documents: [], faults: [oversize] };
  const faults: YamlFault[] = [];
  const documents: YamlDocument[] = [];
  const composer = watchedComposer(faults);
  try {
    for (const token of tokensOf(text, limits, faults))
      documents.push(...(composer.next(token) as Iterable<YamlDocument>));
    documents.push(...(composer.end(false, text.length) as Iterable<YamlDocument>));
  } catch (error) {
    if (!(error instanceof EnoughFaults)) throw error;
  }
  for (const { errors } of documents)
    for (const { message, pos } of errors) faults.push(syntaxFault(message, pos[0]));
  // A tab in the indentation may have caused all other faults.
  const tabs = faults.filter(({ message }) => message === tabMessage);
  return { documents, faults: tabs.length === 0 ? describeFirstUnclosed(text, faults) : tabs };
}

/** Reports the start of the first map, list or text that is not closed, without the later faults, which it causes. */
function describeFirstUnclosed(text: string, faults: readonly YamlFault[]): YamlFault[] {
  for (const [index, fault] of faults.entries()) {
    const described = describeUnclosed(text, fault);
    if (described !== undefined) return [...faults.slice(0, index), described];
  }
  return [...faults];
}

class EnoughFaults extends Error {}

/** Yields the tokens of the parser. Stops with a fault at a limit or at an unsupported token. */
function* tokensOf(text: string, limits: YamlLimits, faults: YamlFault[]): Generator<CST.Token> {
  const refuse = (offset: number, message: string): never => {
    faults.push({ offset, message });
    throw new EnoughFaults();
  };
  const parser = new Parser();
  let documents = 0;
  let ends = 0;
  const accept = (token: CST.Token): CST.Token => {
    if (token.type === 'directive')
      refuse(token.offset, 'YAML directives ("%…") are not supported; remove the line');
    if (token.type === 'error') refuse(token.offset, syntaxFault(token.message, 0).message);
    // The composer creates a document for each of them, even for an end without a start.
    if (
      (token.type === 'document' && ++documents > limits.documents) ||
      (token.type === 'doc-end' && ++ends > limits.documents)
    )
      refuse(token.offset, `more than ${plural(limits.documents, 'document')} in one file`);
    return token;
  };
  for (const piece of new Lexer().lex(text)) {
    const { offset } = parser;
    for (const token of parser.next(piece)) yield accept(token);
    // The parser ends a deep text recursively, so its stack is checked while it grows.
    if (parser.stack.length > limits.depth && depthOf(parser) > limits.depth)
      refuse(offset, `nested more than ${limits.depth} levels deep`);
  }
  // The last document ends with the text.
  for (const token of parser.end()) yield accept(token);
}

/**
 * Creates a composer that collects faults, ignores warnings and stops after too many faults, because each error of `yaml` has a
 * stack trace.
 */
function watchedComposer(faults: YamlFault[]): Composer {
  const composer = new Composer({
    uniqueKeys: false,
    schema: 'core',
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  // Private in its types. Without it, the same errors come with the documents, but slower.
  const watched = composer as unknown as {
    onError: (
      source: number | readonly [number, number] | { readonly offset: number },
      code: string,
      message: string,
      warning?: boolean,
    ) => void;
  };
  watched.onError = (source, _, message, warning) => {
    if (warning === true) return;
    if (faults.length >= maxFaults) throw new EnoughFaults();
    faults.push(
      syntaxFault(
        message,
        typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0],
      ),
    );
  };
  return composer;
}

function checkPieces(text: string, limits: YamlLimits): YamlFault | undefined {
  // The lexer uses these characters as its own marks.
  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f]/);
  if (control !== -1)
    return {
      offset: control,
      message: `the control character U+${text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0')} is not allowed; remove it, or write it as \\x${text.charCodeAt(control).toString(16).padStart(2, '0')} in double quotes`,
    };
  let offset = 0;
  let pieces = 0;
  let quoted = 0;
  let anchors = 0;
  let afterMark = false;
  for (const piece of new Lexer().lex(text)) {
    if (++pieces > limits.pieces)
      return {
        offset: Math.min(offset, text.length),
        message: 'the manifest has too many values; split it, or move long data to separate files',
      };
    if (piece.length > limits.piece)
      return {
        offset,
        message: `a text of more than ${limits.piece >> 20} MiB; move it to a separate file`,
      };
    // A token that starts this way without a mark before it is an anchor or an alias. If there are few, they are reported one by
    // one later.
    if (!afterMark && (piece.startsWith('&') || piece.startsWith('*')) && ++anchors > maxFaults)
      return {
        offset,
        message: 'YAML anchors and aliases are not supported; write the values out',
      };
    afterMark = isMark(piece);
    if (piece.length > 100 && (piece.startsWith('"') || piece.startsWith("'"))) quoted += piece.length;
    if (quoted > limits.quoted)
      return {
        offset,
        message: `more than ${limits.quoted >> 20} MiB of quoted text; write long texts as blocks ("|"), or move them to separate files`,
      };
    if (!afterMark) offset += piece.length;
  }
  return undefined;
}

/** Whether a token is a mark of the lexer, which is not in the text. */
function isMark(piece: string): boolean {
  return piece === '\u0002' || piece === '\u0018' || piece === '\u001f';
}

function depthOf(parser: Parser): number {
  return parser.stack.filter(
    ({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection',
  ).length;
}
