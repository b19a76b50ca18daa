import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docsctl } from '../../support/cli.ts';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
afterEach(() => desk.discard());

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl api on %s', (_name, open) => {
  beforeEach(async () => {
    desk = await open();
  });
  const titles = async () =>
    JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout).items.map(
      ({ title }: { title: string }) => title,
    );
  const idOf = async (title: string): Promise<string> =>
    JSON.parse((await desk.done(['spaces', 'list', '--all', '-o', 'json'])).stdout).items.find(
      (space: { title: string }) => space.title === title,
    ).id;

  it('sends GET if no method is given', async () => {
    const { stdout } = await desk.done(['api', 'GET', '/orgs']);
    for (const path of ['/orgs', 'orgs']) expect((await desk.done(['api', path])).stdout).toBe(stdout);
    expect(stdout).toContain('Acme');
  });

  it('does not send changes with --dry-run, but still sends reads', async () => {
    const path = `/spaces/${await idOf('Guide')}`;
    const dry = await desk.done(['api', 'PATCH', path, '--body', '-', '--dry-run', '-o', 'json'], {
      input: '{"title":"Other"}',
    });
    expect(JSON.parse(dry.stdout)).toEqual({ method: 'PATCH', path: `/v1${path}`, body: { title: 'Other' } });
    expect(dry.stderr).toBe('Dry run: nothing was sent.\n');
    expect((await desk.done(['api', 'delete', path, '--dry-run'])).stderr).toBe(
      'Dry run: nothing was sent.\n',
    );
    expect(await titles()).toContain('Guide');
    expect(
      JSON.parse((await desk.done(['api', 'GET', path, '--dry-run', '-o', 'json'])).stdout),
    ).toMatchObject({ title: 'Guide' });
  });

  it('refuses a body for GET', async () => {
    for (const given of [
      ['--set', 'limit=1'],
      ['--body', '-'],
    ])
      expect(await desk.run(['api', 'GET', '/orgs', ...given], { input: '{}' })).toMatchObject({
        exit: 64,
        stderr: expect.stringContaining('A GET request has no body'),
      });
  });

  it('sets fields of the body with --set, as JSON or as text, in addition to --body', async () => {
    const path = `/spaces/${await idOf('Guide')}`;
    await desk.done(['api', 'PATCH', path, '--set', 'title=Manual', '--set', 'emoji=📘']);
    expect(await titles()).toContain('Manual');
    const set = ['--set', 'a.b=2', '--set', 'list=["x"]', '--set', 'text=no: [json', '--set', 'none=null'];
    const dry = await desk.done(
      ['api', 'PATCH', path, '--body', '-', ...set, '--dry-run', '-o', 'json', '--query', 'body'],
      { input: '{"a":{"c":1}}' },
    );
    const body = { a: { b: 2, c: 1 }, list: ['x'], text: 'no: [json', none: null };
    expect(JSON.parse(dry.stdout)).toEqual(body);
    expect(await desk.run(['api', 'PATCH', path, '--body', '-', ...set], { input: '[1]' })).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('--set needs a body that is an object.'),
    });
  });

  it('names the allowed methods if a path does not have the given one', async () => {
    expect(await desk.run(['api', 'POST', `/spaces/${await idOf('Guide')}`])).toMatchObject({
      exit: 10,
      stderr: expect.stringMatching(/^error: POST is not allowed here\.\nhint: Allowed: .*GET.*PATCH.*\n$/),
    });
  });

  it('notes how to get the next page of a list that has one', async () => {
    const { organization } = JSON.parse((await desk.done(['spaces', 'get', 'Guide', '-o', 'json'])).stdout);
    await desk.done(['spaces', 'create', '--title', 'Second']);
    const path = `/orgs/${organization}/spaces?limit=1`;
    const ids = async (words: string) => desk.done(['api', 'GET', path + words, '-o', 'id']);
    const first = await ids('');
    const [, page = ''] =
      /^There is more\. For the next page, add (page=\S+) to the query of the path\.$/m.exec(first.stderr) ??
      [];
    const second = await ids(`&${page}`);
    expect(second.stdout).not.toBe(first.stdout);
    const all = await desk.done(['api', 'GET', path.replace('?limit=1', ''), '-o', 'id']);
    expect(all.stdout).toContain(first.stdout + second.stdout);
    expect(all.stderr).toBe('');
  });

  it('accepts paths with and without the API version, and deletes only with --yes', async () => {
    const id = await idOf('Guide');
    for (const path of [`/v1/spaces/${id}`, `v1/spaces/${id}`, `spaces/${id}`, `/spaces/${id}`])
      expect(JSON.parse((await desk.done(['api', 'get', path, '-o', 'json'])).stdout)).toMatchObject({ id });
    expect(await desk.run(['api', 'DELETE', `/spaces/${id}`])).toMatchObject({ exit: 9 });
    expect(await titles()).toContain('Guide');
    await desk.done(['api', 'DELETE', `/spaces/${id}`, '--yes']);
    expect(await titles()).not.toContain('Guide');
  });

  it.each([
    ['/../..', 'contains "." or ".."'],
    ['/orgs/%2E%2e/x', 'contains "." or ".."'],
    ['/orgs/./x', 'contains "." or ".."'],
    ['/orgs x', 'a character that a URL cannot contain'],
    ['/orgs\\..\\x', 'a character that a URL cannot contain'],
    ['/é', 'a character that a URL cannot contain'],
    ['/orgs#x', 'a character that a URL cannot contain'],
  ])('sends no request for the path %s', async (path, text) => {
    for (const method of ['GET', 'DELETE']) {
      const { exit, stdout, stderr } = await desk.run(['api', method, path, '--yes', '--trace']);
      expect([exit, stdout, stderr]).toEqual([64, '', expect.stringMatching(/^error: The path .*\nhint: /)]);
      expect(stderr).toContain(text);
    }
  });

  it('rejects requests that it cannot send, with a hint', async () => {
    expect(await desk.run(['api', 'GET'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('api needs a method and a path.'),
    });
    expect(await desk.run(['api', '/orgs', 'GET'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('"/orgs" is not an HTTP method.'),
    });
    expect(await desk.run(['api', 'GET', '/v1/nowhere'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('\nhint: To see the methods and paths, run `docsctl api --list`.\n'),
    });
    expect(await desk.run(['api', 'FETCH', '/orgs'])).toMatchObject({
      exit: 64,
      stderr:
        'error: The API has no method FETCH.\nhint: Did you mean PATCH? Choose one of: GET, POST, PUT, PATCH, DELETE.\n',
    });
    expect(await desk.run(['api', 'POST', '/orgs', '--body', '{"a'])).toMatchObject({
      exit: 8,
      stderr: expect.stringMatching(
        /--body reads a file, but "\{\\"a" does not exist\.\n.*\| docsctl api POST \/orgs --body -`/,
      ),
    });
    expect(await desk.run(['api', 'GET', '/orgs', '--out', 'x.json'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--out works only if the response is a file.'),
    });
  });
});

it.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
])('refuses a path that cannot be decoded on %s', async (_name, open) => {
  desk = await open();
  for (const path of ['/spaces/%zz', '/nowhere/%ff']) {
    const { exit, stderr } = await desk.run(['api', 'GET', path]);
    expect([exit, stderr]).toEqual([8, expect.stringMatching(/^error: .*\nhint: /)]);
  }
  const { stderr } = await desk.run(['api', 'GET', '/orgs?title=50%']);
  expect(stderr).toContain('title is not a known field');
});

describe('docsctl api on a server that is not docsctl', () => {
  let server: Server;
  let answer: { readonly type: string; readonly body: string; readonly name?: string };
  let home: string;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'docsctl-api-'));
    server = createServer((_, response) => {
      const { type, body, name } = answer;
      response.setHeader('content-type', type);
      if (name !== undefined)
        response.setHeader('content-disposition', `attachment; filename*=UTF-8''${name}`);
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    desk = { discard: async () => {} } as GuideStore;
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  });
  const run = (words: readonly string[], tty = false) =>
    docsctl(['api', ...words], {
      home,
      tty,
      env: {
        DOCSCTL_CONFIG_DIR: join(home, 'config'),
        DOCSCTL_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        DOCSCTL_TOKEN: 'dctl_0123456789abcdefghij',
      },
    });
  const attack = 'title\u001b]0;pwn\u0007\r\nnext\n';

  it('escapes control characters on a terminal, and prints them unchanged in a pipe', async () => {
    answer = { type: 'text/plain; charset=utf-8', body: attack };
    expect((await run(['GET', '/x'], true)).stdout).toBe('title\\u001b]0;pwn\\u0007\nnext\n');
    expect((await run(['GET', '/x'])).stdout).toBe(attack);
  });

  it('exits with 69 if the response is text but the options ask for JSON', async () => {
    answer = { type: 'text/html; charset=utf-8', body: '<title>Sign in</title>' };
    for (const words of [
      ['-o', 'json'],
      ['-o', 'ndjson'],
      ['--query', 'items'],
    ])
      expect(await run(['GET', '/x', ...words])).toMatchObject({
        exit: 69,
        stdout: '',
        stderr: expect.stringMatching(/answered with text\/html, not with JSON\..*hint.*leave out --output/s),
      });
    expect((await run(['GET', '/x', '-o', 'table'])).stdout).toBe('<title>Sign in</title>');
  });

  it('refuses to write a downloaded file to a terminal, even if it is plain text', async () => {
    answer = { type: 'text/plain', body: attack, name: 'notes.txt' };
    expect(await run(['GET', '/x/download'], true)).toMatchObject({
      exit: 64,
      stdout: '',
      stderr: expect.stringContaining('The answer is a file, and standard output is a terminal.'),
    });
    expect((await run(['GET', '/x/download'])).stdout).toBe(attack);
    expect(await run(['GET', '/x/download', '-O', './'], true)).toMatchObject({ exit: 0 });
    expect(readFileSync(join(home, 'notes.txt'), 'utf8')).toBe(attack);
  });

  it.each([
    ['is broken', '{"a":', 'The text is not JSON.'],
    ['is nested too deeply', '['.repeat(200_000) + ']'.repeat(200_000), 'nested more than 64 levels deep'],
  ])('reports that the JSON of a response %s', async (_name, body, why) => {
    answer = { type: 'application/json', body };
    const { exit, stderr } = await run(['GET', '/x']);
    expect([exit, stderr]).toEqual([69, expect.stringContaining('answered with JSON that cannot be read.')]);
    expect(stderr).toContain(why);
  });

  it.each([
    '{"paths":',
    'null',
    '{"paths":null}',
    `{"paths":{"/x":{"get":{"summary":${'['.repeat(200_000) + ']'.repeat(200_000)}}}}}`,
  ])('--list reports that the server has no API description: %.20s', async (body) => {
    answer = { type: 'application/json', body };
    expect(await run(['--list'])).toMatchObject({
      exit: 69,
      stderr: expect.stringContaining('has no description of its API at /openapi.json.'),
    });
  });

  it('--list lists the valid operations of a description and ignores the others', async () => {
    answer = {
      type: 'application/json',
      body: '{"paths":{"/x":null,"/y":{"get":null,"put":{"summary":5},"x-other":{}},"/z":{"post":{"summary":"Add"}}}}',
    };
    expect((await run(['--list', '-o', 'tsv'])).stdout).toBe(
      'method\tpath\tsummary\nGET\t/y\t\nPUT\t/y\t\nPOST\t/z\tAdd\n',
    );
  });
});
