import { afterEach, expect, it } from 'vitest';
import { createWorld, type World } from '../../support/world.ts';
import { env, helpersOf, page, service } from './support.ts';

let world: World;
const { work, edit, newSpace, create, look, pagesOf } = helpersOf(() => world);
afterEach(() => world.core.store.close());

it('translated headings keep the anchors that links use, when links are added and removed', async () => {
  const deepl = service();
  world = await createWorld('memory:', { outgoing: deepl.outgoing, env });
  const space = await newSpace([
    page('One', 'See [two](two.md#the-end).', { slug: 'one' }),
    page('Two', '# The end\n\n[top](two.md#start)\n\n# Start\n\n# Other', { slug: 'two' }),
  ]);
  const { id } = await create(space);
  await work();
  const target = (await look(id)).result!.space;
  const textOfTwo = async () =>
    (await pagesOf(target))[1]!.markdown!.split('\n').filter((line) => line.startsWith('#'));
  const marked = (words: string, anchor: string) => `# fr(${words}) <a href="#${anchor}" id="${anchor}"></a>`;
  expect(await textOfTwo()).toEqual([marked('The end', 'the-end'), marked('Start', 'start'), '# fr(Other)']);
  const sent = deepl.sent.length;
  const [one] = await pagesOf(space);
  await edit(space, [
    { operation: 'update_page', page: one!.id, document: { markdown: 'See [two](two.md#other).' } },
  ]);
  await work();
  expect(await textOfTwo()).toEqual(['# fr(The end)', marked('Start', 'start'), marked('Other', 'other')]);
  // The translation of the page is in memory, so nothing is sent again.
  expect(deepl.sent.length).toBe(sent);
  await edit(space, [{ operation: 'delete_page', page: one!.id }]);
  await work();
  expect((await pagesOf(target))[0]!.markdown).not.toContain('id="other"');
});
