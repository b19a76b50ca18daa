import type { RichNode } from '../contract/shapes.ts';
import type { PageAnchors } from './anchors.ts';
import type { HeadingLevel } from './heading-levels.ts';
import type { Icons } from './icons.ts';
import type { Markup } from './markup.ts';
import type { PageTag } from './page-tag.ts';
import type { Words } from './words.ts';

/** Where a reference of a document leads on a site. */
export interface Target {
  /** An address that a browser may open: http, https, mailto, tel, or relative to the page. */
  readonly href: string;
  readonly kind: 'page' | 'anchor' | 'file' | 'external';
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly emoji?: string | undefined;
  /** In bytes, of a file. */
  readonly size?: number;
  /** In pixels, of an image. */
  readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
}

/** What a renderer asks of the site that a document is shown on. */
export interface RenderContext {
  /** Finds the target of a content reference; undefined where nothing is there that this visitor may see. */
  readonly resolve: (ref: unknown) => Target | undefined;
  /** The address of a reference as its author wrote it, which broken links then name (default: they do not). */
  readonly addressOf?: ((ref: unknown) => string | undefined) | undefined;
  /** Evaluates an expression of the document; undefined for no value. */
  readonly evaluate: (expression: string) => unknown;
  /** Whether a condition holds for this visitor. */
  readonly isTrue: (condition: string) => boolean;
  /** Finds a published specification, parsed, by the reference of a block; undefined where there is none. */
  readonly specification: (ref: unknown) => Record<string, unknown> | undefined;
  /** Takes the place of a block that an integration draws; undefined for others. `fallback` is shown if it fails. */
  readonly drawBlock?: (node: RichNode, fallback: Markup) => Markup | undefined;
  /** Finds a tag of the space by its slug (default: a tag whose label is its slug). */
  readonly tag?: ((slug: string) => PageTag) | undefined;
  /** What stands behind a block of the document, such as the comments on it. */
  readonly behind?: ((block: RichNode) => Markup | undefined) | undefined;
  /** Whether headings have a link to themselves (default: yes). */
  readonly hasHeadingLinks?: boolean;
  /** Where links to other sites open (default: in the same tab). */
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
  /** As its author wrote it, such as 2026-02-28. */
  readonly date: string;
  readonly tags: readonly string[];
  /** The text of its first heading, else the beginning of its text. */
  readonly title: string;
  readonly anchor: string;
  readonly body: Markup;
}

/** What the parts of the renderer share while they render one document. */
export interface Renderer extends RenderContext {
  readonly blocks: (nodes: readonly RichNode[] | undefined) => Markup;
  readonly inlines: (nodes: readonly RichNode[] | undefined) => Markup;
  readonly markdown: (text: string) => Markup;
  /** Renders Markdown in two parts: the content of its first paragraph, and the blocks after it. */
  readonly lead: (text: string) => readonly [lead: Markup, rest: Markup];
  readonly code: (code: string, language: string) => Markup;
  /** Colors code; undefined for a language that is not known. */
  readonly highlight: (code: string, language: string) => string | undefined;
  /** Writes a formula in TeX as MathML; undefined where it cannot be read. */
  readonly formula: (tex: string, isBlock: boolean) => Markup | undefined;
  readonly anchors: PageAnchors;
  /** The level of the next heading, which is written with this depth. */
  readonly levelOf: (depth: number) => HeadingLevel;
  readonly addToOutline: (entry: OutlineEntry) => void;
  /** Renders the cells of a table, whose headings have no links and are not in the outline. */
  readonly inCells: (render: () => Markup) => Markup;
  readonly addUpdate: (entry: UpdateEntry) => void;
  /** Makes an id that is unique on the page. */
  readonly uniqueId: (prefix: string) => string;
  /** Content that belongs behind the block that is being rendered, such as the text of an annotation. */
  readonly addBehind: (content: Markup) => void;
}
