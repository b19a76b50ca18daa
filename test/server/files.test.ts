import { afterEach, describe, expect, it } from 'vitest';
import type { FileWaiter } from '../../src/contract/file.ts';
import type { Core } from '../../src/core/embedded.ts';
import { openDesk } from '../resources/content-support.ts';
import { serve, talkTo, type Serving } from './serving.ts';

let serving: Serving;
afterEach(() => serving.server.close(0));

/** A server whose PDFs take until they are stopped; reports when the work begins and ends. */
async function serveSlowly(answerTimeout = 60_000) {
  let begin = (): void => {};
  let end = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const bytes = ({ signal }: FileWaiter) =>
    new Promise<Uint8Array>((_, reject) => {
      begin();
      signal!.addEventListener('abort', () => {
        end();
        reject(new Error('stopped'));
      });
    });
  const slow = (async () => ({ name: 'a.pdf', contentType: 'application/pdf', bytes })) as never;
  const change = (core: Core): Core => ({
    ...core,
    handlerOf: async (operation) =>
      operation.id === 'spaces.pdf-download' ? slow : core.handlerOf(operation),
  });
  serving = await serve({ change, limits: { answerTimeout } });
  const { spaceId } = await openDesk(serving.world);
  return { path: `/v1/spaces/${spaceId}/pdf/download`, begun, ended };
}

describe('the making of a file', () => {
  it('is stopped when its client disconnects', async () => {
    const { path, begun, ended } = await serveSlowly();
    const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
    const talk = await talkTo(url);
    talk.send(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${serving.bearer('read').authorization}\r\n\r\n`,
    );
    await begun;
    talk.socket.destroy();
    await ended;
  });

  it('is stopped after the time limit', async () => {
    const { path, ended } = await serveSlowly(5);
    const answer = await serving.server.inject({ url: path, headers: serving.bearer('read') });
    expect(answer.statusCode).toBe(504);
    await ended;
  });

  it('does not delay a server that stops', async () => {
    const { path, begun, ended } = await serveSlowly();
    const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
    const talk = await talkTo(url);
    talk.send(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${serving.bearer('read').authorization}\r\n\r\n`,
    );
    await begun;
    await serving.server.close(0);
    await ended;
  });
});
