import type { BlockContent, FootnoteDefinition, PhrasingContent, RootContent } from 'mdast';
import type { Attributes } from './tags.ts';

/** A line that starts and ends with a `{% … %}` tag. */
interface TagLine {
  readonly type: 'tagLine';
  value: string;
}

/** The content between an opening tag and its closing tag. */
export interface Section {
  readonly type: 'section';
  readonly name: string;
  /** The text of the opening tag after its name. */
  readonly argument: string;
  /** The tags as written in the source. */
  readonly open: string;
  readonly close: string;
  readonly children: RootContent[];
}

/** The `<summary>` of a `<details>`, as HTML. */
export interface Summary {
  readonly type: 'summary';
  readonly raw: string;
  readonly value: string;
}

/** Blocks that are written between two lines. */
export interface Wrapped {
  readonly type: 'wrapped';
  readonly open: string;
  readonly close: string;
  /** Whether there are blank lines between the lines and the blocks, as HTML requires. */
  readonly isHtml: boolean;
  readonly children: BlockContent[];
}

export interface MathBlock {
  readonly type: 'mathBlock';
  value: string;
}

export interface MathText {
  readonly type: 'mathText';
  value: string;
}

/** The content of `<code class="expression">`. */
interface ExpressionText {
  readonly type: 'expressionText';
  value: string;
}

/** Inline content between an opening HTML tag and its closing one. */
export interface Element {
  readonly type: 'element';
  readonly name: string;
  readonly attributes: Attributes;
  readonly open: string;
  readonly close: string;
  readonly children: PhrasingContent[];
}

declare module 'mdast' {
  interface BlockContentMap {
    tagLine: TagLine;
    section: Section;
    summary: Summary;
    wrapped: Wrapped;
    mathBlock: MathBlock;
    footnoteDefinition: FootnoteDefinition;
  }
  interface RootContentMap {
    tagLine: TagLine;
    section: Section;
    summary: Summary;
    wrapped: Wrapped;
    mathBlock: MathBlock;
    mathText: MathText;
    expressionText: ExpressionText;
    element: Element;
  }
  interface PhrasingContentMap {
    mathText: MathText;
    expressionText: ExpressionText;
    element: Element;
  }
}
