import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openGuideStore } from '../../guide-store.ts';

it('docsctl pages copy copies the files that pages include as text, except those with conditions', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
  const pageIn = (space: string, path: string): Promise<{ id: string; markdown: string }> =>
    json('pages', 'show', space, path);
  const filesIn = async (space: string): Promise<{ id: string }[]> =>
    (await json('spaces', 'files', 'list', space)).items;

  const files: Readonly<Record<string, string>> = {
    'SUMMARY.md': '* [Use](use/a.md)\n* [Part](use/part.md)\n* [Closed](closed.md)\n  * [Below](below.md)\n',
    'use/a.md':
      '# Use\n\n- ```rust\n  {{#include ../code/a.rs:2:3}}\n  ```\n\n{{#include part.md}}\n\n{{#include ../beta.txt}}\n\n{{#include ../below.md}}\n',
    'use/part.md': '# Part\n\n{{#include ../texts/b.md}}\n',
    'texts/b.md': '[part](../use/part.md) ![b](b.png)\n',
    'texts/b.png': 'png',
    'code/a.rs': 'one\ntwo\nthree\n',
    'beta.txt': '{% if visitor.claims.beta %}\nBeta\n{% endif %}\n',
    'closed.md': '---\nif: visitor.claims.beta\n---\n# Closed\n',
    'below.md': '# Below\n',
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(desk.at('use'), path, '..'), { recursive: true });
    writeFileSync(desk.at('use', path), content);
  }
  await desk.done(['spaces', 'create', '--title', 'Manual']);
  await desk.done(['spaces', 'create', '--title', 'Source']);
  await desk.done(['spaces', 'import', 'Source', 'use']);
  await desk.done(['pages', 'copy', 'Source', 'a', '--to-space', 'Manual', '--merge']);
  const part = (await pageIn('Source', 'part')).id;
  const [image] = await filesIn('Manual');
  const copied = (link: string, file: string | undefined): string =>
    `# Use\n\n- \`\`\`rust\n  two\n  three\n  \`\`\`\n\n# Part\n\n[part](${link}) ![b](/files/${file})\n\n{{#include ../beta.txt}}\n\n{{#include ../below.md}}\n`;
  expect((await pageIn('Manual', 'a')).markdown).toBe(
    copied(`https://app.gitbook.com/s/${(await json('spaces', 'get', 'Source')).id}/${part}`, image?.id),
  );
  await desk.done(['pages', 'copy', 'Source', 'a', '--merge']);
  expect((await pageIn('Source', 'a-1')).markdown).toBe(
    copied('use/part.md', (await filesIn('Source'))[0]?.id),
  );
});
