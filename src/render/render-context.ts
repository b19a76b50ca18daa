import type { RichNode } from '../contract/shapes.ts';
import type { PageAnchors } from './anchors.ts';
import type { HeadingLevel } from './heading-levels.ts';
import type { Icons } from './icons.ts';
import type { Markup } from './markup.ts';
import type { PageTag } from './page-tag.ts';
import type { Words } from './words.ts';

/** The target of a reference of a document on a site. */
export interface Target {
  /** A safe address: http, https, mailto, tel, or relative to the page. */
  readonly href: string;
  readonly kind: 'page' | 'anchor' | 'file' | 'external';
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  /** Size of a file in bytes. */
  readonly size?: number;
  /** Size of an image in pixels. */
  readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
}

/** The functions and settings of the site that a renderer needs. */
export interface RenderContext {
  /** Returns the target of a content reference; undefined if there is none that this visitor may see. */
  readonly resolve: (ref: unknown) => Target | undefined;
  /** Returns the address of a reference as its author wrote it. Broken links then include it (default: they do not). */
  readonly addressOf?: ((ref: unknown) => string | undefined) | undefined;
  /** Evaluates an expression of the document. Returns undefined without a value. */
  readonly evaluate: (expression: string) => unknown;
  /** Whether a condition is true for this visitor. */
  readonly isTrue: (condition: string) => boolean;
  /** Returns a published specification, parsed, for the reference of a block; undefined if there is none. */
  readonly specification: (ref: unknown) => Record<string, unknown> | undefined;
  /**
   * Returns the markup that replaces the block of an integration; undefined for other blocks. `fallback` is shown if it fails.
   */
  readonly drawBlock?: (node: RichNode, fallback: Markup) => Markup | undefined;
  /** Returns a tag of the space by its slug (default: a tag whose label is its slug). */
  readonly tag?: ((slug: string) => PageTag) | undefined;
  /** Returns markup to add after a block of the document, such as its comments. */
  readonly behind?: ((block: RichNode) => Markup | undefined) | undefined;
  /**
   * The title of the page. Operations show their titles unless this or a heading is the same (default: never, because headings
   * name the operations of generated pages).
   */
  readonly pageTitle?: string | undefined;
  /** Whether headings contain a link to themselves (default: yes). */
  readonly hasHeadingLinks?: boolean;
  /** The target of links to other sites (default: the same tab). */
  readonly externalTarget?: '_blank' | undefined;
  readonly words: Words;
  readonly icons: Icons;
}

export interface OutlineEntry {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
}

export interface UpdateEntry {
  /** The date as its author wrote it, such as 2026-02-28. */
  readonly date: string;
  readonly tags: readonly string[];
  /** The text of its first heading, or else the start of its text. */
  readonly title: string;
  readonly anchor: string;
  readonly body: Markup;
}

/** The shared state of the functions that render one document. */
export interface Renderer extends RenderContext {
  readonly blocks: (nodes: readonly RichNode[] | undefined) => Markup;
  readonly inlines: (nodes: readonly RichNode[] | undefined) => Markup;
  readonly markdown: (text: string) => Markup;
  /** Renders Markdown in two parts: the content of its first paragraph, and the remaining blocks. */
  readonly lead: (text: string) => readonly [lead: Markup, rest: Markup];
  readonly code: (code: string, language: string) => Markup;
  /** Highlights code; undefined for an unknown language. */
  readonly highlight: (code: string, language: string) => string | undefined;
  /** Renders a TeX formula as MathML; undefined if it cannot be parsed. */
  readonly formula: (tex: string, isBlock: boolean) => Markup | undefined;
  readonly anchors: PageAnchors;
  /** Returns the levels of the next heading, which has this depth in the source. */
  readonly levelOf: (depth: number) => HeadingLevel;
  /** Whether an operation shows its title, because no heading is the same. */
  readonly isNew: (title: string) => boolean;
  readonly addToOutline: (entry: OutlineEntry) => void;
  /** Renders the cells of a table. Headings in them have no links and are not in the outline. */
  readonly inCells: (render: () => Markup) => Markup;
  readonly addUpdate: (entry: UpdateEntry) => void;
  /** Returns an id that is unique on the page. */
  readonly uniqueId: (prefix: string) => string;
  /** Adds content after the current block, such as the text of an annotation. */
  readonly addBehind: (content: Markup) => void;
}
