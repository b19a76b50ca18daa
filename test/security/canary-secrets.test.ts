import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { integrations } from '../../src/core/rows/integrations.ts';
import { publish } from '../resources/integrations/support.ts';
import { createWorld } from '../support/world.ts';
import { docsctl, type Ran } from '../support/cli.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** The secret to look for, also in its base64 and hexadecimal forms. */
const canary = 'canary-7d1f0c55e2';
const forms = [canary, Buffer.from(canary).toString('base64').slice(0, -4), Buffer.from(`x${canary}`).toString('base64').slice(2, -4), Buffer.from(`xx${canary}`).toString('base64').slice(4, -4), Buffer.from(canary).toString('hex')]; // prettier-ignore
const traces = (text: string): string[] => forms.filter((form) => text.includes(form));

let home: string;
let server: Server;
let received = '';
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-canary-'));
  server = createServer((request, answer) => {
    request.on('data', (part: Buffer) => (received += part.toString('latin1')));
    request.on('end', () => answer.writeHead(204).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});

it.each(['sqlite:store.db', 'json:store.json'])(
  'the secret of an integration appears in no store (%s), answer, error, event or file',
  async (store) => {
    const folder = join(home, store.split(':')[0]!);
    const url = store.replace(':', `:${folder}/`);
    const { port } = server.address() as AddressInfo;
    const all: Ran[] = [];
    const run = async (words: string, more: Record<string, string> = {}): Promise<Ran> => {
      const env = {
        DOCSCTL_STORE: url,
        DOCSCTL_CONFIG_DIR: join(folder, 'config'),
        DOCSCTL_ALLOW_PRIVATE: `127.0.0.1:${port}`,
        ...more,
      };
      const ran = await docsctl(words.split(' '), { home: folder, cwd: home, env });
      all.push(ran);
      return ran;
    };
    writeFileSync(join(home, 'script.js'), 'addEventListener("fetch", () => {});');
    await run('init --org-title Acme --email ana@acme.test');
    const secret = { TOKEN: canary };
    const given =
      'integrations publish bot --title Bot --description x --scopes space:content:read --script script.js --secret TOKEN --debug -o json';
    expect((await run(given, secret)).exit).toBe(0);
    expect((await run(`${given} --dry-run`, secret)).exit).toBe(0);
    for (const wrong of ['--title B', '--icon script.js', '--visibility everybody', '--organization nobody'])
      expect((await run(`${given} ${wrong}`, secret)).exit).not.toBe(0);
    expect(
      (
        await run(
          'integrations publish bot --title Bot --description x --scopes openapi:read --script script.js -o json',
        )
      ).exit,
    ).toBe(0);
    await run('integrations get bot -o json');
    await run('integrations list -o json');
    await run('api GET /integrations/bot');
    const { stdout } = await run('integrations signing-secret bot --yes -o json');
    const { signingSecret } = JSON.parse(stdout) as { signingSecret: string };
    await run(`integrations enable-dev bot --tunnel-url http://127.0.0.1:${port}`);
    await run('integrations installations create bot --organization Acme -o json');
    expect((await run('jobs run --debug')).exit).toBe(0);
    await run('integrations events list bot -o json');
    await run('export -d exported');
    await run(
      'integrations publish bot --title Bot --description x --scopes openapi:read --script script.js -o json',
      { DOCSCTL_SECRET_KEY: 'f'.repeat(64) },
    );
    const outputs = all.map((ran) => ran.stdout + ran.stderr).join('\n');
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    expect(files.map(({ name }) => name)).toContain(`${store.split(':')[1]}.key`);
    // Only the messages to the tunnel contain secrets, because the tunnel runs the script in place of docsctl.
    const secrets = new RegExp(`"secrets":\\{"TOKEN":"${canary}"\\}`, 'g');
    expect(received).toMatch(secrets);
    const events = received.replace(secrets, '');
    expect({ outputs: traces(outputs), files: traces(kept.join('\n')), events: traces(events) }).toEqual({
      outputs: [],
      files: [],
      events: [],
    });
    expect(received).toContain('installation_setup');
    expect(kept.some((text) => text.includes(signingSecret))).toBe(false);
    // Ensures that the search finds the secret in a plain file.
    writeFileSync(join(home, 'plain'), `TOKEN=${canary}`);
    expect(traces(readFileSync(join(home, 'plain'), 'utf8'))).toEqual([canary]);
    rmSync(join(home, 'plain'));
  },
  60_000,
);

it('secrets are kept when an integration is published without any, and replaced by new ones', async () => {
  const world = await createWorld();
  const secrets = async () => {
    const row = await world.core.store.read((view) => view.get(integrations, 'bot'));
    return row?.secrets === undefined
      ? undefined
      : (JSON.parse(await world.core.vault.open(row.secrets, 'the secrets of bot')) as unknown);
  };
  expect(JSON.stringify(await publish(world, 'bot', { secrets: { TOKEN: canary } }))).not.toContain(canary);
  expect(await secrets()).toEqual({ TOKEN: canary });
  await publish(world, 'bot');
  expect(await secrets()).toEqual({ TOKEN: canary });
  await publish(world, 'bot', { secrets: { OTHER: 'x' } });
  expect(await secrets()).toEqual({ OTHER: 'x' });
  await world.core.store.close();
});
