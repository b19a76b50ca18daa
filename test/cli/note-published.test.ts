import { expect, it } from 'vitest';
import { openGuideServer } from './guide-store.ts';

it('a site that is published on a server without sites has no address in a table, and a note says why', async () => {
  const desk = await openGuideServer();
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  const { stdout, stderr } = await desk.done(['sites', 'publish', 'Docs'], { tty: true });
  expect(stdout).toContain('Docs');
  expect(stdout).not.toContain('http');
  expect(stderr).toContain(
    'The server shows no sites, so the published site has no address yet. To show sites, start it with `docsctl serve --sites-port 8081`.',
  );
  const { stdout: data } = await desk.done(['sites', 'publish', 'Docs', '-o', 'json']);
  expect(JSON.parse(data).urls.published).toMatch(/^http/);
  await desk.discard();
});
