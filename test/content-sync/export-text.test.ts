import { expect, it } from 'vitest';
import { exportText } from '../../src/content-sync/export-text.ts';
import type { PageBody } from '../../src/resources/content/schemas.ts';

const pageOf = (title: string, markdown?: string) => ({ title, markdown }) as PageBody;
const unlisted = {
  path: 'first-steps.md',
  pathOf: () => undefined,
  listedTitle: undefined,
  isUnlisted: true,
};

it.each([
  ['the title of its heading', pageOf('Getting started', '# Getting started\n'), '# Getting started\n'],
  ['another title', pageOf('Start', '# Getting started\n'), '---\ntitle: Start\n---\n\n# Getting started\n'],
  ['the title of its file name', pageOf('First steps', 'Text\n'), 'Text\n'],
  ['the title of its file name, and no text', pageOf('First steps'), ''],
])('the file of a page that no table of contents names has a title only if needed: %s', (_, page, text) => {
  expect(exportText(page, unlisted)).toBe(text);
});

it('the file of a page that the table of contents names has no title', () => {
  const listed = { ...unlisted, listedTitle: 'Start', isUnlisted: false };
  expect(exportText(pageOf('Start', '# Getting started\n'), listed)).toBe('# Getting started\n');
});
