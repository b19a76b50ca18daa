import { LineScanner } from './line-scanner.ts';

/**
 * Removes scripts and styles that begin a line, such as `<script setup>` of VitePress, because they are not content. Those
 * without an end are kept. The number of lines does not change.
 */
export function withoutScripts(text: string): string {
  const last = Math.max(text.lastIndexOf('</script>'), text.lastIndexOf('</style>'));
  if (last === -1) return text;
  let [result, at] = ['', 0];
  let isScript = false;
  for (const lines = new LineScanner(text); lines.next();) {
    if (lines.kind !== 'raw') continue;
    const line = text.slice(lines.content, lines.end);
    const [, tag] = /^<(script|style|pre|textarea)\b/i.exec(line) ?? [];
    if (tag !== undefined) isScript = /^s/i.test(tag) && lines.start <= last;
    if (!isScript) continue;
    const [closed = ''] = /^.*<\/(?:script|style)>/.exec(line) ?? [];
    result += text.slice(at, lines.content);
    at = closed === '' ? lines.end : lines.content + closed.length;
  }
  return result + text.slice(at);
}
