import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../../../content-sync/folder-support.ts';
import { openGuideServer, openGuideStore } from '../../guide-store.ts';

/** Starts a proxy that forwards requests, and calls `beforeMerge` before it forwards a merge. */
async function relayTo(url: string, beforeMerge: () => Promise<unknown>): Promise<string> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request;
    const body = await buffer(request);
    if (path.endsWith('/merge')) await beforeMerge();
    const { authorization = '', 'content-type': type = 'application/json' } = headers;
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': type },
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? type });
    response.end(await answer.text());
  };
  const relay = createServer((request, response) => void pass(request, response));
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
}

it('spaces import that conflicts with a simultaneous import suggests running it again', async () => {
  const folderOf = (text: string) => newFolder({ 'README.md': `# Start\n\n${text}\n` });
  const [old, ours, theirs] = [folderOf('old'), folderOf('ours'), folderOf('theirs')];
  const desk = await openGuideServer();
  onTestFinished(() => desk.discard());
  const put = (folder: string) => desk.done(['spaces', 'import', 'Guide', folder]);
  await put(old);
  const relay = await relayTo(desk.options.env?.['DOCSCTL_SERVER'] ?? '', () => put(theirs));
  const outrun = await desk.run(['spaces', 'import', 'Guide', ours, '--server', relay]);
  expect(outrun.exit).toBe(6);
  expect(outrun.stderr).toContain('the unfinished change request 2 was archived');
  expect(outrun.stderr).toContain('hint: Run the command again. The import then overwrites');
  await put(ours);
  expect((await desk.done(['pages', 'show', 'Guide', 'readme'])).stdout).toContain('ours');
});

it('spaces import that merge rules refuse suggests --change-request', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  await desk.done([
    'spaces',
    'update',
    'Guide',
    '--merge-rules',
    '{"type":"rules","rules":[{"rule":"require_at_least_one_review"}]}',
  ]);
  const folder = newFolder({ 'README.md': '# Start\n' });
  const refused = await desk.run(['spaces', 'import', 'Guide', folder]);
  expect(refused.exit).toBe(6);
  expect(refused.stderr).toContain(
    'hint: Add --change-request to leave the import in a change request, which can be merged later.\n',
  );
  await desk.done(['spaces', 'import', 'Guide', folder, '--change-request']);
});
