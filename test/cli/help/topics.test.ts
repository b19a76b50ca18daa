import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { docsctl } from '../../support/cli.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Variables that only the system sets. */
const ofSystem = ['DOCSCTL_SERVER_PROCESS', 'GITHUB_WORKSPACE', 'HOME', 'PATH', 'TMPDIR'];

it('`help environment` and the page "Operations" list every variable that docsctl reads', async () => {
  const source = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`${root}src/${file}`, 'utf8'))
    .join('\n');
  const read = new Set([
    ...Array.from(source.matchAll(/\benv\['([A-Z_]+)'\]/g), ([, name = '']) => name),
    ...Array.from(source.matchAll(/\{([^{}]*)\} = (?:\w+\.)?env;/g), ([, names = '']) =>
      names.match(/\b[A-Z][A-Z_]+\b/g),
    ).flatMap((names) => names ?? []),
    ...Array.from(source.matchAll(/'((?:DOCSCTL|GITBOOK|AWS)_[A-Z_]+)'/g), ([, name = '']) => name),
  ]);
  const { stdout } = await docsctl(['help', 'environment'], { home: tmpdir() });
  const guide = readFileSync(`${root}docs/operations.md`, 'utf8');
  const listed = new Set(`${stdout}${guide}`.match(/\b[A-Z][A-Z_]{2,}\b/g));
  const missing = [...read].filter((name) => !listed.has(name) && !ofSystem.includes(name));
  expect(read.size).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});
