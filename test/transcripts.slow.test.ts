import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds } from '../src/core/ids.ts';
import { initializeStore } from '../src/resources/organizations/initialize.ts';
import { tables } from '../src/resources/tables.ts';
import { createServer } from '../src/server/index.ts';
import { openCore } from '../src/wiring.ts';
import type { CliOptions } from './support/cli.ts';
import { emptyPostgres } from './support/postgres.ts';
import { hasPostgres } from './support/postgres-server.ts';
import { readTranscript, runStep } from './support/transcripts.ts';

const folder = fileURLToPath(new URL('scripts', import.meta.url));
const samples = fileURLToPath(new URL('samples', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));

const places = ['sqlite', 'json', ...(hasPostgres() ? (['postgres'] as const) : []), 'server'] as const;

/** Every transcript says the same on each store and against a server. */
describe.each(places)('transcripts on %s', (place) => {
  let home: string;
  let options: CliOptions;
  let stop: (() => Promise<void>) | undefined;

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'docsctl-'));
    const store =
      place === 'json'
        ? `json:${join(home, 'store.json')}`
        : place === 'postgres'
          ? await emptyPostgres()
          : `sqlite:${join(home, 'store.db')}`;
    const env = {
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      SAMPLES: samples,
      ...(place === 'postgres' ? { DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex') } : {}),
    };
    const runtime = {
      env,
      clock: Date.now,
      randomBytes: (count: number) => new Uint8Array(randomBytes(count)),
    };
    const core = await openCore(runtime as never, store, { create: true });
    const { token } = await initializeStore(core, { title: 'Acme', email: 'ana@acme.test' });
    if (place !== 'server') {
      await core.store.close();
      options = { home, env: { ...env, DOCSCTL_STORE: store } };
      return;
    }
    const server = await createServer({
      core,
      version: '0.0.0-test',
      newRequestId: () => createIds(Date.now, Math.random)('req'),
      target: { url: store, tables, cwd: home },
    });
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    stop = () => server.close(1000);
    options = { home, env: { ...env, DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token } };
  });

  afterEach(async () => {
    await stop?.();
    stop = undefined;
    rmSync(home, { recursive: true, force: true });
  });

  it.each(names)('%s', async (name) => {
    const steps = readTranscript(readFileSync(join(folder, name), 'utf8').replaceAll('$SAMPLES', samples));
    expect(steps.length).toBeGreaterThan(0);
    const seen = new Map<string, string>();
    if (process.env['RECORD'] !== undefined && place === 'sqlite') return record(join(folder, name), options);
    for (const step of steps) {
      const { output, exit } = await runStep(step, options, seen);
      expect({ line: `${name}:${step.at}: ${step.line}`, exit, output }).toEqual({
        line: `${name}:${step.at}: ${step.line}`,
        exit: step.exit,
        output: step.expected,
      });
    }
  });
});

/** `RECORD=1 npx vitest run test/transcripts` writes what is printed today; read the difference before it is committed. */
async function record(path: string, options: CliOptions): Promise<void> {
  const seen = new Map<string, string>();
  const text = readFileSync(path, 'utf8');
  const comments = new Map(
    text
      .split('\n')
      .flatMap((line, index, lines) =>
        line.startsWith('# ')
          ? [[lines.slice(index).findIndex((next) => next.startsWith('$ ')) + index + 1, line] as const]
          : [],
      ),
  );
  const written: string[] = [];
  for (const step of readTranscript(text.replaceAll('$SAMPLES', samples))) {
    const { output, exit } = await runStep(step, options, seen);
    if (comments.has(step.at)) written.push(comments.get(step.at)!);
    written.push(
      `$ ${step.line.replaceAll(samples, '$SAMPLES')}`,
      ...(output === '' ? [] : [output.replaceAll(samples, '$SAMPLES')]),
      ...(exit === 0 ? [] : [`[exit ${exit}]`]),
      '',
    );
  }
  writeFileSync(path, written.join('\n'));
}
