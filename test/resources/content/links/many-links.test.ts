import { afterEach, expect, it, vi } from 'vitest';
import { defined } from '../../../../src/contract/values.ts';
import { callOperation } from '../../../../src/core/embedded.ts';
import { HeavyCallError } from '../../../../src/core/heavy-call-error.ts';
import { LinkIndex } from '../../../../src/content/links/link-index.ts';
import { openLinks } from '../../../../src/content/links/index.ts';
import { spaces } from '../../../../src/core/rows/spaces.ts';
import {
  listChangeRequestLinks,
  mergeChangeRequest,
} from '../../../../src/resources/change-requests/contract.ts';
import { createWorld } from '../../../support/world.ts';
import { openDesk, page } from '../../content-support.ts';

afterEach(() => vi.restoreAllMocks());

const count = 600;
const anchors = (version: number): string =>
  Array.from({ length: count }, (_, at) => `<a id="v${version}-${at}">`).join('\n');
const links = (version: number, to = ''): string =>
  Array.from({ length: count }, (_, at) => `[x](${to}#v${version}-${at})`).join('\n');
const document = (markdown: string) => ({ document: { markdown } });

/** Records the length of the longest list that is searched item by item. */
function spyOnSearches(): { longest: number } {
  const seen = { longest: 0 };
  const { includes } = Array.prototype;
  vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], ...given) {
    seen.longest = Math.max(seen.longest, this.length);
    return includes.apply(this, given);
  });
  return seen;
}

it('many anchors are found without searching long lists', async () => {
  const desk = await openDesk(await createWorld());
  const searches = spyOnSearches();
  await desk.publish(page('Long', document(`${anchors(1)}\n\n${links(1)}\n\n${links(2)}`)));
  expect(searches.longest).toBeLessThan(count);
});

it('many changed anchors update the sources of a linking page only once', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const made = await desk.publish(page('Target', document(anchors(1))), page('Linker'));
  const [target, linker] = made.pages!.map(({ id }) => id);
  await desk.publish({ operation: 'update_page', page: linker!, ...document(links(1, 'target.md')) });
  const missing = () =>
    world.core.store.read(async (view) => {
      const space = (await view.get(spaces, desk.spaceId))!;
      return (await openLinks({ tx: view, space, url: (path) => path })).missingAnchors;
    });
  expect(await missing()).toBe(0);
  const set = vi.spyOn(LinkIndex.prototype, 'set');
  const get = vi.spyOn(LinkIndex.prototype, 'get');
  await desk.publish({ operation: 'update_page', page: target!, ...document(anchors(2)) });
  const written = set.mock.calls.filter(([kind, id]) => kind === 'sources' && id === `page:${linker}`);
  expect(written).toHaveLength(1);
  expect(get.mock.calls.length).toBeLessThan(2 * count);
  vi.restoreAllMocks();
  expect(await missing()).toBe(count);
});

it('the links of a long text are left to another thread if there is one', async () => {
  const world = await createWorld();
  const desk = await openDesk(world);
  const { number } = await desk.createRequest();
  await desk.edit(number, [page('Long', document('[x](y.md) '.repeat(14_000)))], 'admin');
  const call = <O extends typeof mergeChangeRequest | typeof listChangeRequestLinks>(
    operation: O,
    maxTime?: number,
  ) =>
    callOperation(
      world.core,
      world.credential('admin'),
      operation,
      { params: desk.at(number) } as Parameters<typeof callOperation<O>>[3],
      defined({ maxTime }),
    );
  for (const operation of [listChangeRequestLinks, mergeChangeRequest]) {
    await expect(call(operation, 60_000)).rejects.toBeInstanceOf(HeavyCallError);
    await call(operation);
  }
  expect((await desk.pages()).map(({ title }) => title)).toEqual(['Long']);
});
