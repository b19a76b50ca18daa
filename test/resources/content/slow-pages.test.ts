import { beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/contract/values.ts';
import { callOperation } from '../../../src/core/embedded.ts';
import { HeavyCallError } from '../../../src/core/heavy-call-error.ts';
import { getPageByPath } from '../../../src/resources/content/space-pages/contract.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { createWorld, type World } from '../../support/world.ts';

describe('a page that is slow to read as a document', () => {
  let world: World;
  let shelf: Shelf;
  beforeAll(async () => {
    world = await createWorld();
    shelf = await openShelf(world);
    await shelf.importFolder(
      newFolder({ 'slow.md': `# Slow\n\n${'a\n'.repeat(10_000)}`, 'quick.md': '# Quick\n\na\n' }),
    );
  });

  const read = async (path: string, query: object, maxTime?: number): Promise<unknown> => {
    const input = { params: { spaceId: shelf.spaceId, pagePath: path }, query };
    return callOperation(world.core, world.credential('read'), getPageByPath, input, defined({ maxTime }));
  };

  it.each([{ format: 'document' }, { blocks: true }] as const)(
    'is left to another thread if there is one: %j',
    async (query) => {
      await expect(read('slow', query, 60_000)).rejects.toBeInstanceOf(HeavyCallError);
      expect(await read('quick', query, 60_000)).toMatchObject({ title: 'Quick' });
      expect(await read('slow', query)).toMatchObject({ title: 'Slow' });
    },
  );

  it('is returned as Markdown by the same thread', async () => {
    expect(await read('slow', {}, 60_000)).toMatchObject({ title: 'Slow' });
  });
});
