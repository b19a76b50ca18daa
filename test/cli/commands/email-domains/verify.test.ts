import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGuideStore, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['orgs', 'update', '--email-domains', 'example.com']);
});
afterEach(() => desk.discard());

const verify = (...options: string[]) => desk.run(['email-domains', 'verify', ...options]);

test('email-domains verify checks a domain and prints the result', async () => {
  const { exit, stdout } = await verify('Example.com', '-o', 'json');
  expect(exit).toBe(0);
  // The store has one organization, so no proof is asked for.
  expect(JSON.parse(stdout)).toMatchObject({
    domain: 'example.com',
    isActive: true,
    proof: { type: 'TXT', name: '_docsctl.example.com', status: 'trusted' },
    checkedAt: expect.any(String),
  });
});

test('email-domains verify checks several domains, and continues after a failure', async () => {
  await desk.done(['orgs', 'update', '--email-domains', 'example.com,example.org']);
  const { exit, stdout, stderr } = await verify('example.com', 'other.example', 'example.org', '-o', 'json');
  expect(JSON.parse(stdout).items).toMatchObject([{ domain: 'example.com' }, { domain: 'example.org' }]);
  expect([exit, stderr]).toEqual([3, expect.stringContaining('2 done, 1 failed.')]);
  const words = ['email-domains', 'verify', '-', '-o', 'json'];
  expect(JSON.parse((await desk.done(words, { input: 'example.com\n' })).stdout).count).toBe(1);
});

test('email-domains verify only prints the request with --dry-run', async () => {
  const { exit, stdout } = await verify('example.com', '--dry-run', '-o', 'json');
  expect(exit).toBe(0);
  expect(stdout).toContain('/email-domains/example.com');
  const { stdout: shown } = await desk.done(['email-domains', 'get', 'example.com', '-o', 'json']);
  expect(JSON.parse(shown)).toMatchObject({ isActive: false });
});

test('email-domains verify reports a domain that the organization does not list', async () => {
  const { exit, stderr } = await verify('other.example');
  expect([exit, stderr]).toEqual([
    5,
    expect.stringContaining('The organization does not list the email domain "other.example"'),
  ]);
});
