import { expect, it } from 'vitest';
import { spaceAddress } from '../../../../src/contract/open-address.ts';
import { listSpaceLinks } from '../../../../src/resources/spaces/contract.ts';
import { createWorld } from '../../../support/world.ts';
import { openDesk, page } from '../../content-support.ts';

it('the target of a link to a file of another space is the file', async () => {
  const world = await createWorld();
  const [desk, other] = [await openDesk(world), await openDesk(world)];
  const { insertedFiles = [] } = await other.publish({
    operation: 'insert_files',
    files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'AAAA' }],
  });
  const file = insertedFiles[0]!.id;
  const markdown = `![x](${spaceAddress(other.spaceId, `~/files/${file}`)})`;
  await desk.publish(page('Start', { document: { markdown } }));
  const { revision } = await other.space();
  const { items } = await world
    .as('read')
    .call(listSpaceLinks, { params: { spaceId: desk.spaceId }, query: {} });
  expect(items[0]).toMatchObject({ status: 'in-app' });
  expect(items[0]?.targetReference).toEqual({
    kind: 'file',
    file,
    organization: world.org,
    space: other.spaceId,
    versionContext: { type: 'revision', revision },
  });
});
