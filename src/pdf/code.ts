import type { RichNode } from '../contract/shapes.ts';
import { eachLine } from './lines.ts';
import { given, linesIn, type Scene } from './scene.ts';
import { spansOf, plainSpan, textOf, type Span } from './spans.ts';
import { code, colours, gaps, small } from './theme.ts';
import { costs } from './work.ts';

/** Draws a code block: every line as it is, long ones wrapped with a hanging indent. */
export async function drawCode(node: RichNode, scene: Scene): Promise<void> {
  const { canvas } = scene;
  const title = given(node, 'title');
  const height = code.size * code.leading;
  canvas.need(Math.min((node.nodes ?? []).length, 3) * height + 30);
  canvas.open({ tint: colours.tint, border: colours.line, pad: { left: 10, right: 8, top: 8, bottom: 8 } });
  if (title !== '') {
    await canvas.flow(
      linesIn(
        [plainSpan(title, { size: small.size, bold: true, colour: colours.muted })],
        small.size,
        canvas,
      ),
    );
    canvas.space(4);
  }
  const step = canvas.fonts.width('  ', 'mono', code.size);
  for (const line of node.nodes ?? []) {
    canvas.work.spend(costs.line);
    await canvas.work.pace();
    const text = textOf(line.nodes);
    const spans = monospaced(spansOf(line.nodes, { size: code.size }, scene.source));
    const hang = Math.min(/^[ \t]*/.exec(text)![0].length * (step / 2) + step, canvas.width / 3);
    // Broken for the narrower width, so that lines that go on can be set in; what fits whole is not.
    const whole = text.length <= 400 && canvas.fonts.width(text, 'mono', code.size) <= canvas.width;
    const width = whole ? Infinity : canvas.width - hang;
    const lines = eachLine(spans, canvas.fonts, {
      width,
      leading: code.leading,
      size: code.size,
      exact: true,
      spend: (effort) => canvas.work.spend(effort),
    });
    let isFirst = true;
    for (const broken of lines) {
      canvas.line(broken, canvas.left + (isFirst ? 0 : hang), canvas.take(broken.height));
      isFirst = false;
      await canvas.work.pace();
    }
  }
  canvas.close();
  canvas.space(gaps.block + 2);
}

function* monospaced(spans: Iterable<Span>): Generator<Span> {
  for (const { chip: _chip, ...span } of spans)
    yield { ...span, face: span.face.toLowerCase().includes('bold') ? 'monoBold' : 'mono', size: code.size };
}
