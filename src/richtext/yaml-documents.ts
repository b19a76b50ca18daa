import { Composer, Lexer, Parser, type CST, type Document, type Node } from 'yaml';

/** A document as `yaml` composed it; its places are offsets into the text. */
export type YamlDocument = Document.Parsed;
export type YamlPart = Node;

/** What one text may hold, checked before `yaml` composes it. */
export interface YamlLimits {
  /** Levels of maps and lists within each other. */
  readonly depth: number;
  /** Pieces of the lexer: words, marks, spaces and line ends; about a microsecond each. */
  readonly pieces: number;
  /** Characters of one piece: a scalar over many lines is one. */
  readonly piece: number;
  /** Characters of all longer texts in quotes: each escape in them takes the room of a value. */
  readonly quoted: number;
  readonly documents: number;
}

/** Something wrong at an offset of the text. */
export interface YamlFault {
  readonly offset: number;
  readonly message: string;
}

const tabMessage = 'a tab indents this line; YAML takes spaces only';

/** Faults told of one text: each costs `yaml` about as much as ten values. */
const maxFaults = 60;

/**
 * Composes the documents of a text with their places. Never throws for what is in the text. Everything dear or recursive
 * comes after the pass that it needs: counting, then the parser with its stack watched, then composing.
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
    for (const { code, message, pos } of errors) faults.push(syntaxFault(code, message, pos[0]));
  // Where a tab indents, all else that is wrong may come of it.
  const tabs = faults.filter(({ message }) => message === tabMessage);
  return { documents, faults: tabs.length === 0 ? faults : tabs };
}

class EnoughFaults extends Error {}

/** The tokens of the parser; stops with a fault at what is too deep, too many or not taken. */
function* tokensOf(text: string, limits: YamlLimits, faults: YamlFault[]): Generator<CST.Token> {
  const refuse = (offset: number, message: string): never => {
    faults.push({ offset, message });
    throw new EnoughFaults();
  };
  const parser = new Parser();
  let documents = 0;
  let ends = 0;
  for (const piece of new Lexer().lex(text)) {
    const { offset } = parser;
    for (const token of parser.next(piece)) {
      if (token.type === 'directive')
        refuse(token.offset, 'YAML directives ("%…") are not taken here; take the line out');
      if (token.type === 'error') refuse(token.offset, syntaxFault('', token.message, 0).message);
      // The composer makes something of each, of an end without a beginning too.
      if (
        (token.type === 'document' && ++documents > limits.documents) ||
        (token.type === 'doc-end' && ++ends > limits.documents)
      )
        refuse(token.offset, `more than ${limits.documents} documents in one file`);
      yield token;
    }
    // Ending a deep text is recursive in the parser, so the stack is watched while it grows.
    if (parser.stack.length > limits.depth && depthOf(parser) > limits.depth)
      refuse(offset, `nested more than ${limits.depth} levels deep`);
  }
  yield* parser.end();
}

/** A composer that keeps faults short, leaves warnings out and stops where there are too many: an error of `yaml` carries a stack trace. */
function watchedComposer(faults: YamlFault[]): Composer {
  const composer = new Composer({
    uniqueKeys: false,
    schema: 'core',
    resolveKnownTags: false,
    logLevel: 'silent',
  });
  // Private in its types; without it the same errors come with the documents, only slower.
  const watched = composer as unknown as {
    onError: (
      source: number | readonly [number, number] | { readonly offset: number },
      code: string,
      message: string,
      warning?: boolean,
    ) => void;
  };
  watched.onError = (source, code, message, warning) => {
    if (warning === true) return;
    if (faults.length >= maxFaults) throw new EnoughFaults();
    faults.push(
      syntaxFault(
        code,
        message,
        typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0],
      ),
    );
  };
  return composer;
}

function checkPieces(text: string, limits: YamlLimits): YamlFault | undefined {
  // The lexer marks what it found with such characters.
  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f]/);
  if (control !== -1)
    return {
      offset: control,
      message: `the control character U+${text.charCodeAt(control).toString(16).toUpperCase().padStart(4, '0')} stands here; take it out, or write it as \\x${text.charCodeAt(control).toString(16).padStart(2, '0')} in double quotes`,
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
        message:
          'the manifest holds too many values up to here; split it, or move long data to files of their own',
      };
    if (piece.length > limits.piece)
      return {
        offset,
        message: `a text of more than ${limits.piece >> 20} MiB; move it to a file of its own`,
      };
    // A scalar has a mark in front; what begins so without one is an anchor or an alias, never taken: a few are told one by one.
    if (!afterMark && (piece.startsWith('&') || piece.startsWith('*')) && ++anchors > maxFaults)
      return {
        offset,
        message: 'many YAML anchors and aliases stand up to here; none is taken, so write the values out',
      };
    afterMark = isMark(piece);
    if (piece.length > 100 && (piece.startsWith('"') || piece.startsWith("'"))) quoted += piece.length;
    if (quoted > limits.quoted)
      return {
        offset,
        message: `more than ${limits.quoted >> 20} MiB of texts in quotes up to here; write long texts as blocks ("|"), or move them to files of their own`,
      };
    if (!afterMark) offset += piece.length;
  }
  return undefined;
}

/** Marks of the lexer stand for no character of the text. */
function isMark(piece: string): boolean {
  return piece === '\u0002' || piece === '\u0018' || piece === '\u001f';
}

function depthOf(parser: Parser): number {
  return parser.stack.filter(
    ({ type }) => type === 'block-map' || type === 'block-seq' || type === 'flow-collection',
  ).length;
}

/** The words of `yaml` without the piece of text that it quotes, which may be a secret put in the wrong place. */
function syntaxFault(code: string, message: string, offset: number): YamlFault {
  if (code === 'TAB_AS_INDENT') return { offset, message: tabMessage };
  const [reason = ''] = message.split(': "');
  const words = reason.slice(0, 200).replace(/\.$/, '');
  return { offset, message: `not valid YAML: ${words.charAt(0).toLowerCase()}${words.slice(1)}` };
}
