import { expect, it } from 'vitest';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { createComment, updateComment } from '../../src/resources/comments/change-request/contract.ts';
import { createComment as commentOnSpace } from '../../src/resources/comments/space/contract.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { createSpace, getSpace } from '../../src/resources/spaces/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve } from '../server/serving.ts';
import { signedIn } from './browser.ts';

it('a change request shows the subjects of its comments, and the reactions to them', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const org = { organizationId: serving.world.org };
  const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const { id, urls } = await call(createChangeRequest, { spaceId }, { body: { subject: 'New' } });
  const at = { spaceId, changeRequestId: id };
  const page = { operation: 'insert_page', title: 'Set up', document: { markdown: 'Text' } };
  const { pages } = await call(batchContent, at, { body: { changes: [page] } });
  const body = { page: pages[0]?.id, body: { markdown: 'Too short' } };
  const comment = await call(createComment, at, { body });
  await call(updateComment, { ...at, commentId: comment.id }, { body: { addedReactions: ['👍'] } });
  const shown = (await (await signedIn(serving, 'admin')).open(urls.app)).body;
  expect(shown).toMatch(/on <a href="[^"]*\/~\/changes\/1\/set-up">Set up<\/a>/);
  expect(shown).toContain('👍 1');
});

it('a page shows comments beside the text that they refer to, even after other text has changed', async () => {
  const serving = await serve();
  const { call } = callsIn(() => serving.world);
  const org = { organizationId: serving.world.org };
  const spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  const change = async (...changes: object[]) => {
    const changeRequestId = (await call(createChangeRequest, { spaceId }, { body: {} })).id;
    const at = { spaceId, changeRequestId };
    const made = await call(batchContent, at, { body: { changes } });
    await call(mergeChangeRequest, at);
    return made.pages[0]?.id ?? '';
  };
  const table = '| Plan | Price |\n|---|---|\n| Pro | 9 |';
  const markdown = `First\n\nSame\n\nSame\n\n${table}\n`;
  const page = await change({ operation: 'insert_page', title: 'Prices', document: { markdown } });
  const post = (text: string, more: object) =>
    call(commentOnSpace, { spaceId }, { body: { body: { markdown: text }, ...more } });
  await post('On the space', {});
  await post('On the page', { page });
  await post('On the first', { page, node: 'b1' });
  await post('On the same', { page, node: 'b3' });
  await post('On the price', { page, tableCell: { record: 'record-1', definition: 'column-2' } });
  const reader = await signedIn(serving, 'read');
  const { urls } = await call(getSpace, { spaceId });
  const read = async () => (await reader.open(`${urls.app}/prices`)).body;
  const before = await read();
  const order = (body: string) =>
    [
      '<p>First',
      'On the first',
      '<p>Same',
      'On the same',
      '<table',
      'On the price',
      'Comments on this page',
      'On the page',
    ]
      .map((text) => [body.indexOf(text), text] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([at, text]) => (at < 0 ? `no ${text}` : text));
  expect(order(before)).toEqual([
    '<p>First',
    'On the first',
    '<p>Same',
    'On the same',
    '<table',
    'On the price',
    'Comments on this page',
    'On the page',
  ]);
  // After the second of the two equal texts.
  expect(before.indexOf('On the same')).toBeGreaterThan(before.lastIndexOf('<p>Same'));
  expect(before).toContain('<blockquote class="post-quote">9</blockquote>');
  expect(before).not.toContain('On the space');
  const changed = `Before\n\nSame\n\nSame\n\n${table}\n`;
  await change({ operation: 'update_page', page, document: { markdown: changed } });
  const after = await read();
  const [text = '', list = ''] = after.split('Comments on this page');
  expect(text).toContain('On the same');
  expect(text).not.toContain('On the first');
  // The former text is quoted.
  expect(list).toContain('<blockquote class="post-quote">First</blockquote>');
  const whole = (await reader.open(urls.app)).body;
  for (const shown of ['On the space', 'On the price', 'on <a href="']) expect(whole).toContain(shown);
});
