import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

const spec =
  'openapi: 3.1.0\ninfo: { title: Pay, version: "1" }\npaths: { /a: { get: { responses: { 200: { description: ok } } } } }\n';

let desk: GuideStore;
const elsewhere = (words: readonly string[]) =>
  desk.run(words, { env: { DOCSCTL_STORE: `json:${join(desk.home, 'other.json')}` } });
beforeAll(async () => {
  desk = await openGuideStore();
  writeFileSync(desk.at('pay.yaml'), spec);
  writeFileSync(
    desk.at('docsctl.yaml'),
    'version: 1\nopenapi: { pay: { slug: pay, text: !file pay.yaml, wait: true } }\n',
  );
  await desk.done(['apply', '-y']);
  await desk.done(['export', '-d', 'exp']);
  await elsewhere(['init', '--org-title', 'Other', '--email', 'ana@other.test']);
});
afterAll(() => desk.discard());

describe('an exported manifest in another store', () => {
  it.each(['plan', 'rehearse', 'apply'])(
    'is refused by %s, because its organization does not exist, with a hint',
    async (command) => {
      const { exit, stderr } = await elsewhere([command, '-f', 'exp']);
      expect(exit).toBe(5);
      expect(stderr).toMatch(
        /exp\/docsctl\.yaml:4:7: the organization "org_\w+" does not exist here, or you are not a member\./,
      );
      expect(stderr).toMatch(/hint: Remove "id" from "org:" in the manifest/);
    },
  );

  it('creates the same resources after its organization was removed', async () => {
    expect(readFileSync(desk.at('exp/specs/pay.yaml'), 'utf8')).toBe(spec);
    const text = readFileSync(desk.at('exp/docsctl.yaml'), 'utf8');
    writeFileSync(desk.at('exp/docsctl.yaml'), text.replace(/^org:\n(?: {2}.*\n)+\n/m, ''));
    const { exit, stderr } = await elsewhere(['apply', '-f', 'exp', '-y']);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('0 failed')]);
    await elsewhere(['openapi', 'refresh', 'pay']);
    expect((await elsewhere(['plan', '-f', 'exp', '--detailed-exitcode'])).exit).toBe(0);
  });
});

describe('docsctl plan with a changed text', () => {
  it('shows the changed lines', async () => {
    writeFileSync(desk.at('pay.yaml'), spec.replace('Pay', 'Pay 2'));
    const { stdout } = await desk.done(['plan']);
    expect(stdout).toContain(
      '    text:\n        openapi: 3.1.0\n      - info: { title: Pay, version: "1" }\n      + info: { title: Pay 2, version: "1" }\n',
    );
  });
});

describe('the output format markdown', () => {
  it.each(['plan', 'drift'])('is supported by %s', async (command) => {
    expect((await desk.run([command, '--help'])).stdout).toMatch(/--output <format>[^]*markdown\)/);
    expect((await desk.run([command, '-o', 'pdf'])).stderr).toMatch(
      /Choose one of: table, .*, none, markdown\./,
    );
    expect((await desk.run([command, '-o', 'markdown'])).stdout).toMatch(/^### /);
  });

  it('is not supported by other commands', async () => {
    expect((await desk.run(['apply', '--help'])).stdout).not.toMatch(/output <format> .*markdown/);
    expect((await desk.run(['apply', '-o', 'markdown'])).stderr).toMatch(
      /Choose one of: table, .*, none\.$/m,
    );
  });
});
