import { afterEach, expect, it } from 'vitest';
import type { ContentChange } from '../../../../src/content/changes.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

const source = (title: string): ContentChange => ({
  operation: 'insert_page',
  type: 'computed',
  title,
  document: {},
  computed: { type: 'integration:bot:tickets', props: { project: title } },
});

it('sites build and sites check warn of pages of integrations that they leave out', async () => {
  desk = await openGuideStore();
  await desk.publish(page('Start', '[A ticket](tickets/open-ticket.md)'));
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
  const warned = async () => {
    const built = await desk.done(['sites', 'build', 'Docs', '-d', 'public']);
    const checked = await desk.run(['sites', 'check', 'Docs']);
    return [built.stderr, checked.stderr].map((text) => /^warning: (.*integrations.*)$/m.exec(text)?.[1]);
  };
  expect(await warned()).toEqual([undefined, undefined]);
  await desk.publish(source('Tickets'));
  expect(await warned()).toEqual([
    'A copy has no pages that integrations compute: 1 source is left out ("Tickets" in Guide). Links to their pages lead nowhere. `docsctl serve --sites-port` shows them.',
    'The check reads no pages that integrations compute: 1 source is left out ("Tickets" in Guide). Links to their pages lead nowhere. `docsctl serve --sites-port` shows them.',
  ]);
  await desk.publish(source('Bugs'));
  const [, checked] = await warned();
  const links = await desk.run(['spaces', 'links', 'Guide']);
  expect(links.stdout).toContain('tickets/open-ticket.md');
  expect(checked).toContain('2 sources are left out ("Bugs" in Guide, "Tickets" in Guide)');
});
