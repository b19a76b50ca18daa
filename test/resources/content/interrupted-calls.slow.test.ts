import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Api, OnProgress } from '../../../src/contract/api.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import {
  createChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
} from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import {
  createSpace,
  getSpace,
  listSpaceLinks as listLinks,
} from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { mockBusyClock } from '../../support/busy-clock.ts';

/** With this many changes, the index of links is built by the first read of links. */
const count = 1001;
const changes = Array.from({ length: count }, (_, at) => ({
  operation: 'insert_page' as const,
  title: `Page ${at}`,
  document: { markdown: `[next](page-${(at + 1) % count}) [none](gone-${at})\n` },
}));

describe.each(['memory:', 'json:store.json', 'sqlite:store.db'])('an interrupted call on %s', (store) => {
  let home: string;
  let world: World;
  let api: Api;
  let spaceId: string;
  let changeRequestId: string;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'docsctl-calls-'));
    world = await createWorld(store === 'memory:' ? store : store.replace(':', `:${home}/`));
    api = world.as('admin');
    ({ id: spaceId } = await api.call(createSpace, {
      params: { organizationId: world.org },
      body: { title: 'Guide' },
    }));
    ({ id: changeRequestId } = await api.call(createChangeRequest, { params: { spaceId }, body: {} }));
    await api.call(batchContent, { params: { spaceId, changeRequestId }, body: { changes } });
    mockBusyClock();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await world.core.store.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** Returns an Api and a signal that aborts a number of turns of the event loop after the operation starts. */
  const interrupting = (begun: Operation, turns: number) => {
    const stop = new AbortController();
    const core = {
      ...world.core,
      handlerOf: async (operation: Operation) => {
        const handler = await world.core.handlerOf(operation);
        const wait = async () => {
          for (let left = turns; left > 0; left--) await setImmediate();
          stop.abort();
        };
        if (operation === begun) void wait();
        return handler;
      },
    };
    return { api: embeddedApi(core, world.credential('admin')), signal: stop.signal };
  };

  it('leaves a merge undone, and the merge can be repeated', async () => {
    const before = await api.call(getSpace, { params: { spaceId } });
    const merge = { params: { spaceId, changeRequestId }, body: {} };
    for (const turns of [3, 6, 9]) {
      const { api: stopped, signal } = interrupting(mergeChangeRequest, turns);
      await expect(stopped.call(mergeChangeRequest, merge, { signal })).rejects.toMatchObject({
        reason: 'interrupted',
      });
      expect(await api.call(getSpace, { params: { spaceId } })).toEqual(before);
      const { status } = await api.call(getChangeRequest, { params: { spaceId, changeRequestId } });
      expect(status).toBe('draft');
    }
    await api.call(mergeChangeRequest, merge);
    expect((await api.call(getSpace, { params: { spaceId } })).revision).not.toBe(before.revision);
  });

  it('leaves no partial index of links, and the next call builds the index and reports progress', async () => {
    await api.call(mergeChangeRequest, { params: { spaceId, changeRequestId }, body: {} });
    const query = { limit: 1 };
    for (const turns of [3, 50, 200]) {
      const { api: stopped, signal } = interrupting(listLinks, turns);
      await expect(stopped.call(listLinks, { params: { spaceId }, query }, { signal })).rejects.toMatchObject(
        {
          reason: 'interrupted',
        },
      );
    }
    const heard: string[] = [];
    const onProgress: OnProgress = (done, total, what = '') => heard.push(`${what} ${done}/${total}`);
    const { stats } = await api.call(listLinks, { params: { spaceId }, query }, { onProgress });
    expect(stats).toEqual({ total: 2 * count, broken: { total: count } });
    expect(heard).toContain(`reading the links of pages 500/${count}`);
    expect(heard).toContain(`resolving the links of pages 1000/${count}`);
    expect(heard.at(-1)).toBe('writing the index of links: part 4/5');
    heard.length = 0;
    await api.call(listLinks, { params: { spaceId }, query }, { onProgress });
    expect(heard).toEqual([]);
  });
});
