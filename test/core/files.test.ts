import { expect, it } from 'vitest';
import type { HandlerFile } from '../../src/contract/file.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import { Problem } from '../../src/errors/problem.ts';
import { downloadFile } from '../../src/resources/content/space-files/contract.ts';
import { openDesk } from '../resources/content-support.ts';
import { createWorld } from '../support/world.ts';

/** Creates a world whose only handler answers with this file. The file can ask whether a transaction is open. */
async function answering(given: (isOpen: () => boolean) => HandlerFile) {
  const world = await createWorld();
  const { spaceId } = await openDesk(world);
  let open = 0;
  const { store } = world.core;
  const read: typeof store.read = async (work) => {
    open++;
    return store.read(work).finally(() => open--);
  };
  const core = {
    ...world.core,
    store: { ...store, url: store.url, read },
    handlerOf: async () => async () => given(() => open > 0) as never,
  };
  return () =>
    embeddedApi(core, world.credential('read')).call(downloadFile, { params: { spaceId, fileId: 'file_1' } });
}

it('bytes given as a function are computed after the transaction', async () => {
  let wasOpen: boolean | undefined;
  const call = await answering((isOpen) => ({
    name: 'a.pdf',
    contentType: 'application/pdf',
    bytes: async () => {
      wasOpen = isOpen();
      return Buffer.from('made');
    },
  }));
  expect(await call()).toEqual({ name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from('made') });
  expect(wasOpen).toBe(false);
});

it('a Problem while computing the bytes is thrown by the call', async () => {
  const problem = new Problem('too-large', 'Too many pages.');
  const call = await answering(() => ({
    name: 'a.pdf',
    contentType: 'application/pdf',
    bytes: () => Promise.reject(problem),
  }));
  await expect(call()).rejects.toBe(problem);
});

it('given bytes are returned unchanged, with a repaired name and content type', async () => {
  const bytes = Uint8Array.of(0, 255);
  const call = await answering(() => ({ name: 'a\ud800', contentType: 'what?', bytes }));
  expect(await call()).toEqual({ name: 'a\ufffd', contentType: 'application/octet-stream', bytes });
});
