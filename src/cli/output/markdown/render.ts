import type { RichNode } from '../../../contract/shapes.ts';
import type { Terminal } from '../../runtime.ts';
import { createStyler, type Styler } from '../style.ts';
import { drawBlocks } from './blocks.ts';
import { safe } from './inlines.ts';
import { span, wrapSpans } from './lines.ts';

interface Page {
  readonly title: string;
  readonly description?: string | undefined;
  readonly nodes: readonly RichNode[];
}

/** Maximum width of a line, for readability. */
const maxWidth = 100;
const minWidth = 24;

/** Draws a page for a terminal. Control characters are escaped. */
export async function drawPage(
  { columns, color }: Pick<Terminal, 'columns' | 'color'>,
  page: Page,
): Promise<string> {
  return renderPage(page, columns, await createStyler(color));
}

/** Renders a page with a width of `columns`. The title is added unless the text starts with it. */
export function renderPage({ title, description = '', nodes }: Page, columns: number, style: Styler): string {
  const width = Math.max(minWidth, Math.min(columns, maxWidth));
  const lines = drawBlocks(nodes, width);
  if (nodes[0]?.type !== 'heading-1') {
    const heading: RichNode = {
      object: 'block',
      type: 'heading-1',
      nodes: [{ object: 'text', text: title }],
    };
    const about = description === '' ? [] : [...wrapSpans([span(safe(description), 'dim')], width), []];
    lines.unshift(...drawBlocks([heading], width), [], ...about);
  }
  return lines
    .map((line) => line.map(({ text, styles }) => (text === '' ? '' : style(text, styles))).join(''))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
