import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { Problem } from '../errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../richtext/markdown.ts';
import { keepAnchors } from './anchors.ts';
import { mapSegments, skeletonOf } from './document.ts';
import { hasWords, type Piece, type Protect } from './pieces.ts';
import { readWire, writeWire } from './wire.ts';

/** What a translator made of a segment; nothing where it stays as it is. */
export type Answers = (wire: string) => string | undefined;

/** A Markdown text taken apart into what a translator gets. */
export interface Segmented {
  /** The segments, each once, in reading order. */
  readonly wires: readonly string[];
  /** The text with these answers; all but the words is as it was. */
  readonly translated: (answers: Answers) => string;
}

/** Takes a Markdown text apart; one that cannot be made a document has no segments and stays. The headings `linkedTo` keep their anchors. */
export function segmentMarkdown(
  markdown: string,
  protect: Protect,
  linkedTo: readonly string[] = [],
): Segmented {
  let document: RichDocumentValue;
  try {
    document = keepAnchors(markdownToDocument(markdown), markdown, linkedTo);
  } catch (error) {
    if (error instanceof Problem) return { wires: [], translated: () => markdown };
    throw error;
  }
  const wires = new Set<string>();
  const all = mapSegments(document, protect, (pieces) => {
    wires.add(writeWire(pieces));
    return pieces;
  });
  // A term with a fixed translation is put in its place without a translator.
  const isPlain = wires.size === 0 && JSON.stringify(all.nodes) === JSON.stringify(document.nodes);
  return {
    wires: [...wires],
    translated: (answers) =>
      isPlain ? markdown : framed(markdown, write(markdown, document, translator(answers))),
  };

  function translator(answers: Answers): (given: RichDocumentValue) => RichDocumentValue {
    return (given) => mapSegments(given, protect, (pieces) => answered(pieces, answers));
  }
}

function written(pieces: readonly Piece<string>[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : 'keep' in piece ? piece.keep : '')).join('');
}

/** A title or description taken apart in the same way. */
export function segmentText(text: string, protect: Protect): Segmented {
  const pieces = protect(text);
  if (!hasWords(pieces)) return { wires: [], translated: () => written(pieces) };
  return { wires: [writeWire(pieces)], translated: (answers) => written(answered(pieces, answers)) };
}

function answered<K>(pieces: readonly Piece<K>[], answers: Answers): readonly Piece<K>[] {
  const answer = answers(writeWire(pieces));
  return answer === undefined ? pieces : readWire(answer, pieces);
}

/** Writes the translation; a block whose words Markdown would take for something else keeps those that it had. */
function write(
  markdown: string,
  document: RichDocumentValue,
  translate: (given: RichDocumentValue) => RichDocumentValue,
): string {
  const whole = tryWrite(translate(document).nodes);
  if (whole !== undefined) return whole;
  const nodes = document.nodes.map((node) => {
    const [translated] = translate({ ...document, nodes: [node] }).nodes;
    return tryWrite([translated!]) === undefined ? node : translated!;
  });
  return tryWrite(nodes) ?? markdown;
}

/** A text with the blank lines above it, the end and the line breaks of the text that it stands for. */
function framed(given: string, made: string): string {
  if (made === given) return given;
  const text =
    /^(?:\uFEFF)?(?:[ \t]*\r?\n)*/.exec(given)![0].replaceAll('\r\n', '\n') +
    made.trimEnd() +
    (given.endsWith('\n') ? '\n' : '');
  return given.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}

/** Blocks as Markdown, where reading it gives the same blocks again. */
function tryWrite(nodes: readonly RichNode[]): string | undefined {
  try {
    const markdown = documentToMarkdown({ object: 'document', data: {}, nodes });
    return skeletonOf(markdownToDocument(markdown).nodes) === skeletonOf(nodes) ? markdown : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
