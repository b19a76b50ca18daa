import { beforeEach, expect, it } from 'vitest';
import * as requestPages from '../../../../src/resources/content/change-request-pages/contract.ts';
import { createWorld, type World } from '../../../support/world.ts';
import { openDesk, page, type Desk } from '../../content-support.ts';

let world: World;
let desk: Desk;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  await desk.createRequest();
});

const textOf = async (pageId: string) =>
  (await world.as('read').call(requestPages.getPage, { params: { ...desk.at(1), pageId } })).markdown;

it('texts can link to pages and files of the same request by ref, in any order', async () => {
  const markdown = '[b](./two.md#top) ![pic](./pic) [other](./else.md)\n\n```\n[b](./two.md)\n```\n';
  const { pages, insertedFiles } = await desk.edit(1, [
    page('A', { document: { markdown } }),
    page('B', { ref: 'two', slug: 'second' }),
    {
      operation: 'insert_files',
      files: [{ name: 'p.txt', contentType: 'text/plain', base64: 'aGk=', ref: 'pic' }],
    },
  ]);
  const [a, b] = pages!.map(({ id }) => id);
  expect(await textOf(a!)).toBe(
    `[b](/pages/${b}#top) ![pic](/files/${insertedFiles![0]!.id}) [other](./else.md)\n\n\`\`\`\n[b](./two.md)\n\`\`\`\n`,
  );
  await desk.edit(1, [
    page('C', { ref: 'three' }),
    { operation: 'update_page', page: a!, document: { markdown: '[c](./three.md) [b](./two.md)' } },
  ]);
  expect(await textOf(a!)).toMatch(/^\[c\]\(\/pages\/\w+\) \[b\]\(\.\/two\.md\)/);
});
