import { expect, it } from 'vitest';
import { withoutScripts } from '../../src/richtext/without-scripts.ts';

it.each([
  ['a\n<script setup>\nconst b = 1\n\nb\n</script>\n\nc', 'a\n\n\n\n\n\n\nc'],
  ['<style module>a {}</style> b\n<script>c</script>', ' b\n'],
  ['<script>\na\n</script>\n<pre>\n<b>\n</pre>', '\n\n\n<pre>\n<b>\n</pre>'],
  ['```\n<script>\n</script>\n```\n\n`<script>` </script>', undefined],
  ['<script>\na', undefined],
  ['text <script>a</script>', undefined],
  ['</script>\n<script>\na', undefined],
])('removes the scripts and styles of %j', (text, shown = text) => expect(withoutScripts(text)).toBe(shown));
