import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';
import { samples } from '../../../script-runtime/samples.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

const manifest = `name: bot
title: My bot
description: Draws
script: script.js
runtime: v2
scopes: []
blocks:
  - id: diagram
    title: Diagram
    markdown: { codeblock: chart, body: content }
`;
const text = '{% @bot/diagram content="a\\u001bb" %}\n\n> ```chart\n> two\n> ```\n\n{% @none/x %}\n';

it('pages show draws blocks of installed integrations on a terminal, and keeps their Markdown in a pipe', async () => {
  desk = await openGuideStore();
  mkdirSync(desk.at('bot'));
  writeFileSync(desk.at('bot/gitbook-manifest.yaml'), manifest);
  writeFileSync(desk.at('bot/script.js'), samples.v2);
  await desk.done(['integrations', 'publish', '-f', 'bot']);
  await desk.done(['integrations', 'installations', 'create', 'bot', '--org', 'Acme']);
  await desk.publish(page('Start', text));
  const { stdout } = await desk.done(['pages', 'show', 'Guide', 'start'], { tty: true });
  expect(stdout).toContain('a\\u001bb in document, 0\n');
  expect(stdout).toContain('▌ two in document, 0\n');
  expect(stdout).toContain('The integration "none" is not installed on this space.');
  expect((await desk.done(['pages', 'show', 'Guide', 'start'])).stdout).toBe(text);
});

it('pages show draws the blocks that a server returns', async () => {
  desk = await openGuideServer();
  await desk.publish(page('Start', text));
  const { stdout } = await desk.done(['pages', 'show', 'Guide', 'start'], { tty: true });
  expect(stdout).toContain('bot/diagram (block of the integration "bot")');
  expect(stdout).toContain('The integration "bot" is not installed on this space.');
  expect(stdout).toContain('two');
});
