import { expect, it } from 'vitest';
import { openGuideServer } from '../guide-store.ts';

it('sites publish on a server without --sites-port notes that the site has no address yet', async () => {
  const desk = await openGuideServer({ change: (core) => ({ ...core, sitesUrl: undefined }) });
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
  const { stdout, stderr } = await desk.done(['sites', 'publish', 'Docs'], { tty: true });
  expect(stdout).toContain('Docs');
  expect(stdout).not.toContain('http');
  expect((await desk.done(['sites', 'get', 'Docs'], { tty: true })).stdout).not.toContain('http');
  expect(stderr).toContain(
    'No server shows sites, so the published site has no address yet. To show sites, start a server with `docsctl serve --sites-port 8081`.',
  );
  expect((await desk.run(['open', 'Docs', '--published'])).stderr).toContain(
    'hint: Start a server that shows sites: `docsctl serve --sites-port 8081`.',
  );
  expect((await desk.run(['open', 'Guide', '--published'])).stderr).toBe(
    'error: This space has no published address.\nhint: To see why, name a site that shows the space: `docsctl open SITE --published`.\n',
  );
  for (const words of [
    ['sites', 'get', 'Docs'],
    ['spaces', 'get', 'Guide'],
    ['sites', 'site-spaces', 'list', 'Docs'],
  ]) {
    const { stdout: data } = await desk.done([...words, '-o', 'json']);
    expect(data).not.toContain('"published": "http');
  }
  await desk.done(['sites', 'update', 'Docs', '--proxy', 'example.com/docs']);
  expect(JSON.parse((await desk.done(['sites', 'get', 'Docs', '-o', 'json'])).stdout).urls.published).toBe(
    'https://example.com/docs/',
  );
  await desk.discard();
});
