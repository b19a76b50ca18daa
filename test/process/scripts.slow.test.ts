import { execa } from 'execa';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forms, samples, scriptOf } from '../script-runtime/samples.ts';

// The processes of scripts are started from the sources in other tests, and from dist/ here.

const bin = fileURLToPath(new URL('../../bin/docsctl.js', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const home = mkdtempSync(join(tmpdir(), 'docsctl-scripts-'));
const env = {
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
  DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
  NODE_OPTIONS: '',
};
const run = async (words: readonly string[]) => {
  const { exitCode, stdout, stderr } = await execa(node, [bin, ...words], {
    cwd: home,
    env,
    reject: false,
    input: '',
  });
  return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
};
let spaceId: string;

beforeAll(async () => {
  await run(['init', '--org-title', 'Acme', '--email', 'ana@example.com']);
  spaceId = String((await run(['spaces', 'create', '--title', 'Guide', '-o', 'json'])).json()['id']);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function draw(form: (typeof forms)[number], name: string, script: string) {
  writeFileSync(join(home, `${name}.js`), script);
  const manifest = { title: 'Bot', description: '', scopes: [], organization: 'acme', runtime: form };
  writeFileSync(join(home, `${name}.json`), JSON.stringify(manifest));
  const published = await run([
    'integrations',
    'publish',
    name,
    '-f',
    `${name}.json`,
    '--script',
    `${name}.js`,
  ]);
  expect(published.exitCode).toBe(0);
  expect((await run(['integrations', 'installations', 'create', name])).exitCode).toBe(0);
  const context = JSON.stringify({ type: 'document', spaceId });
  const where = ['--component-id', 'diagram', '--props', '{"content":"a"}', '--context', context];
  return run(['integrations', 'render', name, ...where, '-o', 'json']);
}

describe('scripts of integrations in the built program', () => {
  it.each(forms)('run in the form %s', async (form) => {
    const drawn = await draw(form, `bot-${form}`, samples[form]);
    expect([drawn.exitCode, drawn.stderr]).toEqual([0, '']);
    expect(drawn.json()).toMatchObject({ type: 'element', state: { count: 0 } });
    const events = await run(['integrations', 'events', 'list', `bot-${form}`, '-o', 'json']);
    expect(events.stdout).toContain('"receiver": "script"');
  });

  it('report why they failed', async () => {
    const failed = await draw('v2', 'broken', scriptOf('v2', 'throw new Error("on purpose")'));
    expect(failed.exitCode).toBe(69);
    expect(failed.stderr).toContain('on purpose');
  });
});
