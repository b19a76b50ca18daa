import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Option } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isGlobal } from '../../src/cli/settings/global-options.ts';
import { variableOf } from '../../src/cli/serve/variable-options.ts';
import { Metrics } from '../../src/server/metrics.ts';
import { createServerMetrics } from '../../src/server/server-metrics.ts';
import { allCommands, createParser } from '../support/whole-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guide = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const read = (name: string) => readFileSync(join(root, 'examples/deploy', name), 'utf8');
const namesIn = (text: string): string[] =>
  [...new Set(text.match(/\bDOCSCTL_[A-Z][A-Z_]*[A-Z]\b/g) ?? [])].sort();

/** The cells of the rows about variables. */
const rows = [...guide.matchAll(/^\| `(DOCSCTL_[A-Z_]+)` \| (.+) \|$/gm)].map(([, name = '', rest = '']) => [
  name,
  ...rest.split(' | '),
]);
const documented = rows.map(([name = '']) => name);

let options: readonly Option[];
beforeAll(async () => {
  const serve = (await allCommands()).find((command) => command.name() === 'serve');
  options = serve!.options.filter((option) => !isGlobal(option) && option.long !== '--help');
});

describe('the variables in docs/operations.md', () => {
  it('are exactly those that the program reads', () => {
    const source = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap((entry) => namesIn(readFileSync(join(entry.parentPath, entry.name), 'utf8')))
      // The build replaces the first one with the version, and a server sets the second one for its processes.
      .filter((name) => !['DOCSCTL_VERSION', 'DOCSCTL_SERVER_PROCESS'].includes(name));
    const names = new Set([...source, ...options.map(({ long }) => variableOf(long ?? ''))]);
    expect(documented.toSorted()).toEqual([...names].sort());
    expect(documented.length).toBeGreaterThan(45);
  });

  it('have the options of serve in the same row, with their defaults', () => {
    for (const { long, defaultValue } of options) {
      const row = rows.find(([name]) => name === variableOf(long ?? ''));
      expect(row?.[1], long ?? '').toBe(`\`${long}\``);
      if (defaultValue !== undefined) expect(row?.[2], long ?? '').toBe(`\`${String(defaultValue)}\``);
    }
  });
});

it('docs/operations.md describes each metric of a server', async () => {
  const metrics = createServerMetrics('1.2.3', { expires: () => 0 });
  metrics.watchQueues({ store: { read: () => Promise.reject(new Error()) } as never, clock: () => 0 });
  const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  const missing = names.filter(
    (name) => !/^(?:process|nodejs)_/.test(name) && !guide.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
  expect(await new Metrics().text()).toBe('\n');
});

it('docs/operations.md has alerts only for existing metrics', async () => {
  const [, block = ''] = /```yaml\n(groups:[^]*?)```/.exec(guide) ?? [];
  const { groups } = parse(block) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const exprs = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)).join(' ');
  const used = [...new Set(exprs.match(/docsctl_\w+/g))].map((name) => name.replace(/_bucket$/, ''));
  expect(used.filter((name) => !guide.includes(`| \`${name}\``))).toEqual([]);
});

describe('the files in examples/deploy', () => {
  it.each(['Dockerfile', 'compose.yaml', 'docsctl.service'])(
    '%s contains only existing variables',
    (name) => {
      const names = namesIn(read(name));
      expect(names.length).toBeGreaterThan(3);
      expect(names.filter((variable) => !documented.includes(variable))).toEqual([]);
    },
  );

  it('contain valid commands', async () => {
    const parseLine = await createParser();
    const image = read('Dockerfile');
    const list = (word: string) =>
      JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(image)![1]!) as string[];
    expect(list('ENTRYPOINT')).toEqual(['node', '/app/node_modules/docsctl/bin/docsctl.js']);
    const { services } = parse(read('compose.yaml')) as Compose;
    const unit = /^ExecStart=\/usr\/bin\/env (.+)$/m.exec(read('docsctl.service'))![1]!;
    const comments = [
      ...(read('compose.yaml') + read('docsctl.service')).matchAll(
        /(?:server-1|docsctl --) (?:docsctl )?(init .+)/g,
      ),
    ];
    expect(comments).toHaveLength(2);
    for (const line of [
      `docsctl ${list('CMD').join(' ')}`,
      `docsctl ${services['server-1']!.command!.join(' ')}`,
      unit,
      ...comments.map(([, line]) => `docsctl ${line}`),
    ])
      await parseLine(line);
  });

  it('need no privileges: no root user, read-only containers, no published ports of servers', () => {
    const image = read('Dockerfile');
    const last = image.slice(image.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).toContain('HEALTHCHECK');
    const { services, volumes } = parse(read('compose.yaml')) as Compose;
    expect(Object.keys(services)).toEqual(['db', 'server-1', 'server-2', 'proxy']);
    for (const name of ['server-1', 'server-2'])
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
    expect(
      Object.entries(services).flatMap(([name, { ports }]) => (ports === undefined ? [] : [name])),
    ).toEqual(['proxy']);
    expect(Object.keys(volumes)).toEqual(['db', 'certificates']);
    // Secrets have no defaults.
    expect(read('compose.yaml').match(/\$\{[A-Z_]+\}/)).toBeNull();
    expect(read('docsctl.service')).toMatch(/^User=docsctl$/m);
  });

  it('let the user of the image write to each tmpfs', () => {
    const [, user] = /^USER (\d+):/m.exec(read('Dockerfile')) ?? [];
    const { services } = parse(read('compose.yaml')) as Compose;
    for (const name of ['server-1', 'server-2'])
      for (const mount of services[name]!['tmpfs'] as string[])
        expect(mount).toMatch(new RegExp(`^/tmp$|:uid=${user},`));
  });

  it('keep the secrets of compose.yaml out of the image', () => {
    expect(read('Dockerfile.dockerignore').split('\n')).toContain('**/.env');
  });

  it('check the readiness of both servers at their ports', () => {
    const proxy = read('Caddyfile');
    expect(proxy).toMatch(/server-1:8080 server-2:8080 \{\s+health_uri \/readyz/);
    expect(proxy).toMatch(/server-1:8081 server-2:8081 \{\s+health_uri \/~gitbook\/readyz/);
  });
});

interface Compose {
  readonly services: Record<
    string,
    { readonly command?: string[]; readonly ports?: string[]; readonly [field: string]: unknown }
  >;
  readonly volumes: Record<string, unknown>;
}
