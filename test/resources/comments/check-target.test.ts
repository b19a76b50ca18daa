import { beforeEach, describe, expect, it } from 'vitest';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import * as onRequest from '../../../src/resources/comments/change-request/contract.ts';
import * as onSpace from '../../../src/resources/comments/space/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';

let world: World;
let space: { readonly spaceId: string };
let request: { readonly spaceId: string; readonly changeRequestId: string };
let page: string;
let newPage: string;
const { call, refusal } = callsIn(() => world);

beforeEach(async () => {
  world = await createWorld();
  space = { spaceId: (await call(createSpace, { organizationId: world.org }, { body: {} })).id };
  const open = async () => ({
    ...space,
    changeRequestId: (await call(createChangeRequest, space, { body: {} })).id,
  });
  const add = async (at: typeof request, title: string, markdown: string): Promise<string> => {
    const changes = [{ operation: 'insert_page', title, document: { markdown } }];
    return (await call(batchContent, at, { body: { changes } })).pages[0]?.id ?? '';
  };
  const first = await open();
  page = await add(first, 'Prices', 'Text\n\n| Plan | Price |\n|---|---|\n| Pro | 9 |\n');
  await call(mergeChangeRequest, first);
  request = await open();
  newPage = await add(request, 'New', 'One');
});

const body = { markdown: 'Why?' };
const post = (more: object) => call(onSpace.createComment, space, { body: { body, ...more } });
const refuse = (more: object) => refusal(onSpace.createComment, space, { body: { body, ...more } });
const cell = (record: string, definition: string) => ({ tableCell: { record, definition } });

describe('a comment', () => {
  it('can be on a block or a cell of a page', async () => {
    const { target } = await post({ page, node: 'b1' });
    expect(target).toMatchObject({ page: { id: page }, node: { id: 'b1' } });
    const onCell = await post({ page, node: 'b2', ...cell('record-1', 'column-2') });
    expect(onCell.target.tableCell).toEqual({ record: 'record-1', definition: 'column-2' });
    expect((await post({ page, ...cell('record-1', 'column-1') })).target).not.toHaveProperty('node');
  });

  it('on a change request can be on a page that exists only in the change request', async () => {
    const made = await call(onRequest.createComment, request, { body: { body, page: newPage, node: 'b1' } });
    expect(made.target.node).toEqual({ id: 'b1' });
    expect(await refuse({ page: newPage, node: 'b1' })).toMatchObject({ reason: 'not-found' });
  });

  it.each([
    ['a block without a page', { node: 'b1' }, 'invalid-input', '"node" refers to a part of a page'],
    [
      'a cell without a page',
      cell('record-1', 'column-1'),
      'invalid-input',
      '"tableCell" refers to a part of a page',
    ],
  ])('is refused on %s', async (_, more, reason, message) => {
    expect(await refuse(more)).toMatchObject({ reason, message: expect.stringContaining(message) });
  });

  it.each([
    ['a block', { node: 'b99' }, 'The page "Prices" has no block "b99".'],
    [
      'a record',
      cell('record-9', 'column-1'),
      'The page "Prices" has no table with the record "record-9" and the column "column-1".',
    ],
    [
      'a column',
      cell('record-1', 'toString'),
      'The page "Prices" has no table with the record "record-1" and the column "toString".',
    ],
    [
      'a cell of a block that is not a table',
      { node: 'b1', ...cell('record-1', 'column-1') },
      'The page "Prices" has no table with the record "record-1" and the column "column-1".',
    ],
  ])('is refused on %s that does not exist', async (_, more, message) => {
    expect(await refuse({ page, ...more })).toMatchObject({ reason: 'not-found', message });
  });
});
