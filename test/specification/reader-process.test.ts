import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';

/** Returns a program as text, which finds the reader of specifications like the source code. */
async function program(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(path, import.meta.url))],
    bundle: true,
    external: ['*/read-specification.ts'],
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    write: false,
    define: {
      'import.meta.url': JSON.stringify(
        new URL('../../src/specification/child-process-reader.ts', import.meta.url).href,
      ),
    },
  });
  return outputFiles[0]!.text;
}

/** Returns false for zombies, which remain in containers whose first process does not reap them. */
function isAlive(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  try {
    return process.kill(pid, 0) && !(existsSync(stat) && readFileSync(stat, 'utf8').includes(' Z '));
  } catch {
    return false;
  }
}

it('a process that reads a specification exits when its parent is killed', { timeout: 60_000 }, async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', await program('./slow-reading.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const told = await new Promise<string>((resolve) => {
    parent.stdout.once('data', (data: Buffer) => resolve(data.toString()));
    parent.once('exit', () => resolve('it ended'));
  });
  const pid = Number(told);
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000, interval: 50 });
});
