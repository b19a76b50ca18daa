import type { RichNode } from '../../../contract/shapes.ts';
import { drawBlocks } from './blocks.ts';
import { safe } from './inlines.ts';
import { span, wrapSpans } from './lines.ts';
import type { Styler } from '../style.ts';

interface Drawable {
  readonly title: string;
  readonly description?: string | undefined;
  readonly nodes: readonly RichNode[];
}

/** The widest lines that are easy to read, and the narrowest that anything fits. */
const widest = 100;
const narrowest = 24;

/** A page as text for a terminal of this width; nothing in it can command the terminal. A page whose text has no title of its own gets one. */
export function renderPage(
  { title, description, nodes }: Drawable,
  { columns, ink }: { readonly columns: number; readonly ink: Styler },
): string {
  const width = Math.max(narrowest, Math.min(columns, widest));
  const hasTitle = nodes[0]?.type === 'heading-1';
  const heading: RichNode = { object: 'block', type: 'heading-1', nodes: [{ object: 'text', text: title }] };
  const about =
    description === undefined || description === ''
      ? []
      : [...wrapSpans([span(safe(description), 'dim')], width), []];
  const lines = hasTitle
    ? drawBlocks(nodes, width)
    : [...drawBlocks([heading], width), [], ...about, ...drawBlocks(nodes, width)];
  return lines.map((line) => `${line.map(({ text, styles }) => (text === '' ? '' : ink(text, styles))).join('').trimEnd()}\n`).join(''); // prettier-ignore
}
