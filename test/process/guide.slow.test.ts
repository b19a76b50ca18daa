import { execa } from 'execa';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleWorld, withIds, type ExampleWorld } from '../support/example-world.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const home = mkdtempSync(join(tmpdir(), 'docsctl-guide-'));
let world: ExampleWorld;

beforeAll(async () => {
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/docsctl'), `#!/bin/sh\nexec "${node}" "${root}/bin/docsctl.js" "$@"\n`);
  chmodSync(join(home, 'bin/docsctl'), 0o755);
  world = await createExampleWorld();
});
afterAll(() => {
  world.discard();
  rmSync(home, { recursive: true, force: true });
});

/** Returns the blocks of shell commands of a page. Other blocks are not run. */
function shellBlocks(path: string): string[] {
  return [...readFileSync(join(root, path), 'utf8').matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, block = '']) => block,
  );
}

/** Runs lines in one shell that stops at the first failure. */
async function runInShell(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const done = await execa('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, NODE_OPTIONS: '', ...env },
    extendEnv: false,
    reject: false,
    input: '',
  });
  return done.exitCode === 0 ? 'done' : `exit ${done.exitCode}: ${done.stderr}`;
}

it('the commands of the README work as printed, in the folder of the repository', async () => {
  const blocks = shellBlocks('README.md');
  expect(blocks.length).toBeGreaterThan(6);
  cpSync(join(root, 'examples'), join(home, 'clone/examples'), { recursive: true });
  expect(await runInShell(blocks.join('\n'), join(home, 'clone'), {})).toBe('done');
});

describe('the documentation', () => {
  const chapters = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));

  it.each(chapters.filter((name) => shellBlocks(`docs/${name}`).length > 0))(
    '%s works as printed',
    async (name) => {
      const { home: folder, cwd = folder, env = {} } = world.copy();
      cpSync(join(root, 'examples'), join(cwd, 'examples'), { recursive: true });
      // The first chapter begins without a store.
      const settings = name === 'getting-started.md' ? { HOME: folder } : env;
      const script = withIds(shellBlocks(`docs/${name}`).join('\n'), folder);
      expect(await runInShell(script, cwd, settings)).toBe('done');
    },
  );
});
