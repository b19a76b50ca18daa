import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const root = fileURLToPath(new URL('../..', import.meta.url));

it('compiled code of another build is not used, whatever a process of it left behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  try {
    for (const part of ['bin', 'dist', 'package.json'])
      // Other lines of Node may have left theirs.
      cpSync(join(root, part), join(folder, part), {
        recursive: true,
        filter: (path) => !path.endsWith('.cache'),
      });
    const dist = join(folder, 'dist');
    const help = (): string =>
      execFileSync(node, [join(folder, 'bin/docsctl.js'), '--help'], { encoding: 'utf8' });
    const cached = () => readdirSync(dist).filter((name) => /^start\..*\.cache$/.test(name));
    expect(help()).toContain('Administer a documentation platform');
    const [build = ''] = cached().map((name) => name.split('.')[1] ?? '');
    expect(build).toMatch(/^[\da-f]{12}$/);
    // Another build, whose code is as long.
    const edit = (name: string, from: string, to: string): void => {
      const text = readFileSync(join(dist, name), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(dist, name), text.replaceAll(from, to));
    };
    edit('start.js', 'Administer a documentation platform', 'ADMINISTER A DOCUMENTATION PLATFORM');
    edit('main.js', build, '0'.repeat(12));
    expect(help()).toContain('ADMINISTER A DOCUMENTATION PLATFORM');
    expect(cached()).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
