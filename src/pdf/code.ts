import type { RichNode } from '../contract/shapes.ts';
import { breakLines } from './lines.ts';
import { brokenLines, given, type Scene } from './scene.ts';
import { spansOf, plainSpan, textOf, type Span } from './spans.ts';
import { code, colours, gaps, small } from './theme.ts';

/** Draws a code block: every line as it is, long ones wrapped with a hanging indent. */
export async function drawCode(node: RichNode, scene: Scene): Promise<void> {
  const { canvas } = scene;
  const title = given(node, 'title');
  const height = code.size * code.leading;
  canvas.need(Math.min((node.nodes ?? []).length, 3) * height + 30);
  canvas.open({ tint: colours.tint, border: colours.line, pad: { left: 10, right: 8, top: 8, bottom: 8 } });
  if (title !== '') {
    canvas.lines(brokenLines([plainSpan(title, { size: small.size, bold: true, colour: colours.muted })], small.size, canvas));
    canvas.space(4);
  }
  const step = canvas.fonts.width('  ', 'mono', code.size);
  for (const line of node.nodes ?? []) {
    await scene.pace();
    const text = textOf(line.nodes);
    const spans = spansOf(line.nodes, { size: code.size }, scene.source).map(({ chip: _chip, ...span }): Span => ({
      ...span,
      face: span.face.toLowerCase().includes('bold') ? 'monoBold' : 'mono',
      size: code.size,
    }));
    const hang = Math.min(/^[ \t]*/.exec(text)![0].length * (step / 2) + step, canvas.width / 3);
    // Broken for the narrower width, so that lines that go on can be set in; what fits whole is not.
    const whole = canvas.fonts.width(text.slice(0, 400), 'mono', code.size) <= canvas.width;
    const lines = breakLines(spans, canvas.fonts, { width: whole ? Infinity : canvas.width - hang, leading: code.leading, size: code.size, exact: true });
    for (const [index, broken] of lines.entries()) {
      canvas.line(broken, canvas.left + (index === 0 ? 0 : hang), canvas.take(broken.height));
    }
  }
  canvas.close();
  canvas.space(gaps.block + 2);
}
