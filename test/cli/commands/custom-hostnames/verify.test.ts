import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['custom-hostnames', 'set', 'docs.example.com', '--site', 'Docs']);
});
afterEach(() => desk.discard());

const verify = (...options: string[]) =>
  desk.run(['custom-hostnames', 'verify', 'docs.example.com', ...options]);

test('custom-hostnames verify checks a hostname, prints the result, and exits with 9 while it is not active', async () => {
  const { exit, stdout, stderr } = await verify('-o', 'json');
  expect(exit).toBe(9);
  expect(JSON.parse(stdout)).toMatchObject({
    hostname: 'docs.example.com',
    state: 'pending',
    proof: { type: 'TXT', name: '_docsctl.docs.example.com' },
    dns: { checkedAt: expect.any(String) },
  });
  expect(stderr).toContain(
    'No server shows the sites of this store where other machines can reach them. Start one with `docsctl serve --sites-port 8081 --sites-url URL`',
  );
  expect(stderr).toContain(
    'Once this is resolved, run `docsctl custom-hostnames verify docs.example.com` again.',
  );
});

test('custom-hostnames verify only prints the request with --dry-run', async () => {
  const { exit, stdout } = await verify('--dry-run', '-o', 'json');
  expect(exit).toBe(0);
  expect(stdout).toContain('/v1/custom-hostnames/docs.example.com');
  const { stdout: shown } = await desk.done(['custom-hostnames', 'get', 'docs.example.com', '-o', 'json']);
  expect(JSON.parse(shown)).not.toHaveProperty('dns');
});

test('custom-hostnames verify checks several hostnames, and lists those that it found', async () => {
  await desk.done(['sites', 'create', '--title', 'Help']);
  await desk.done(['custom-hostnames', 'set', 'help.example.com', '--site', 'Help']);
  const { exit, stdout, stderr } = await verify('help.example.com', 'other.example.com', '-o', 'json');
  expect(JSON.parse(stdout).items).toMatchObject([
    { hostname: 'docs.example.com', dns: {} },
    { hostname: 'help.example.com', dns: {} },
  ]);
  expect(stderr).toContain('error: other.example.com: There is no custom hostname');
  expect([exit, stderr]).toEqual([3, expect.stringContaining('0 done, 3 failed.')]);
  expect((await verify('help.example.com')).exit).toBe(9);
});

test('custom-hostnames commands use the hostname of the organization in --org', async () => {
  const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
  await desk.done(['orgs', 'create', '--title', 'Beta', '--email', 'ben@beta.test']);
  const site = await json('sites', 'create', '--title', 'Pages', '--org', 'Beta');
  const hostname = 'docs.example.com';
  await desk.done(['custom-hostnames', 'set', hostname, '--site', 'Pages', '--org', 'Beta']);
  expect((await verify()).stderr).toContain('Several of your organizations have the custom hostname');
  const { stdout } = await verify('--org', 'Beta', '-o', 'json');
  expect(JSON.parse(stdout).target.site).toBe(site.id);
  await desk.done(['custom-hostnames', 'delete', hostname, '--org', 'Beta', '--yes']);
  expect((await json('custom-hostnames', 'list', '--org', 'Acme')).items).toHaveLength(1);
});

test('custom-hostnames verify reports a hostname that does not exist', async () => {
  const { exit, stderr } = await desk.run(['custom-hostnames', 'verify', 'other.example.com']);
  expect([exit, stderr]).toEqual([
    5,
    expect.stringContaining('There is no custom hostname "other.example.com"'),
  ]);
});
