import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRecording, traceLine } from '../../../src/cli/session/exchanges.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';
import type { Exchange } from '../../../src/contract/exchange.ts';

const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  method: 'GET',
  url: 'https://docs.example.com/v1/orgs?limit=5',
  requestHeaders: {},
  requestBody: undefined,
  startedAt: Date.UTC(2026, 0, 5, 9),
  milliseconds: 12,
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: new Uint8Array(),
  requestId: 'req_1',
  failure: undefined,
  ...more,
});

it.each<[string, Partial<Exchange>, string]>([
  ['an answer', {}, 'GET /v1/orgs?limit=5 200 12 ms req_1'],
  ['an answer without a request ID', { requestId: undefined }, 'GET /v1/orgs?limit=5 200 12 ms'],
  [
    'no answer',
    { status: 0, requestId: undefined, failure: 'ECONNREFUSED' },
    'GET /v1/orgs?limit=5 no answer 12 ms ECONNREFUSED',
  ],
  [
    'an answer that was cut off',
    { requestId: undefined, failure: 'ECONNRESET' },
    'GET /v1/orgs?limit=5 200 12 ms',
  ],
  [
    'a secret in the address',
    { url: 'https://docs.example.com/v1/x?token=abc&page=2' },
    'GET /v1/x?token=[redacted]&page=2 200 12 ms req_1',
  ],
  [
    'the ID of an invitation',
    { url: 'https://docs.example.com/v1/orgs/org_1/invites/inv_0123456789abcdefghijklmn' },
    'GET /v1/orgs/org_1/invites/[redacted] 200 12 ms req_1',
  ],
  [
    'credentials and codes in the address',
    { url: 'https://docs.example.com/v1/x?url=https%3A%2F%2Fghp_abc%40git.test%2Fa&at=%2Fo%3Fcode%3Dabc' },
    'GET /v1/x?url=https%3A%2F%2F%5Bredacted%5D%40git.test%2Fa&at=%2Fo%3Fcode%3D%5Bredacted%5D 200 12 ms req_1',
  ],
  ['a control character', { requestId: 'a\u001b[1m' }, 'GET /v1/orgs?limit=5 200 12 ms a\\u001b[1m'],
])('the line of --trace for %s', (_name, more, line) => expect(traceLine(exchange(more))).toBe(line));

describe('startRecording', () => {
  let cwd: string;
  beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'docsctl-har-'))));
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));

  const open = (path = 'a.har') =>
    startRecording({ cwd, version: '1.2.3', randomBytes } as unknown as Runtime, path);
  const recorded = (more: Partial<Exchange>) => {
    const { add, save } = open();
    add(exchange(more));
    save();
    const { log } = JSON.parse(readFileSync(join(cwd, 'a.har'), 'utf8'));
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'docsctl', version: '1.2.3' } });
    expect(log.entries).toHaveLength(1);
    return log.entries[0];
  };
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));

  it('records requests and responses', () => {
    const entry = recorded({
      method: 'POST',
      requestBody: '{"title":"Ä"}',
      requestHeaders: { accept: 'application/json' },
      responseBody: json({ id: 'spc_1' }),
      status: 201,
    });
    expect(entry).toMatchObject({
      startedDateTime: '2026-01-05T09:00:00.000Z',
      time: 12,
      request: {
        method: 'POST',
        url: 'https://docs.example.com/v1/orgs?limit=5',
        queryString: [{ name: 'limit', value: '5' }],
        headers: [{ name: 'accept', value: 'application/json' }],
        bodySize: 14,
        postData: { mimeType: 'application/json', text: '{"title":"Ä"}' },
      },
      response: {
        status: 201,
        statusText: 'Created',
        content: { size: 14, mimeType: 'application/json', text: '{"id":"spc_1"}' },
      },
      timings: { send: 0, wait: 12, receive: 0 },
    });
    expect(entry).not.toHaveProperty('comment');
    expect(recorded({})).toMatchObject({ request: { bodySize: 0 }, response: { content: { text: '' } } });
    expect(recorded({}).request).not.toHaveProperty('postData');
    expect(recorded({ status: 0, failure: 'ECONNREFUSED' })).toMatchObject({ comment: 'ECONNREFUSED' });
  });

  it('redacts secrets in headers, URLs and bodies at any depth', () => {
    const entry = recorded({
      url: 'https://docs.example.com/v1/x?code=s3cret&apiKey=s3cret&page=2',
      requestHeaders: { authorization: 'Bearer s3cret', Cookie: 's3cret', accept: '*/*' },
      requestBody: JSON.stringify({
        signingSecret: 's3cret',
        keys: ['kept'],
        secrets: { ONE: 's3cret', two: ['s3cret', { three: 's3cret' }] },
        note: 'see dctl_0123456789abcdefghij_s3cret',
        credentials: [{ user: 's3cret', age: 3 }],
      }),
      responseHeaders: { 'content-type': 'application/json', 'set-cookie': 's3cret' },
      responseBody: json({ items: [{ token: 's3cret', title: 'kept' }] }),
    });
    expect(JSON.stringify(entry)).not.toContain('s3cret');
    expect(JSON.parse(entry.request.postData.text)).toEqual({
      signingSecret: '[redacted]',
      keys: ['kept'],
      secrets: { ONE: '[redacted]', two: ['[redacted]', { three: '[redacted]' }] },
      note: 'see [redacted]',
      credentials: [{ user: '[redacted]', age: 3 }],
    });
    expect(JSON.parse(entry.response.content.text)).toEqual({
      items: [{ token: '[redacted]', title: 'kept' }],
    });
    expect(entry.request.queryString).toContainEqual({ name: 'page', value: '2' });
  });

  it('redacts the URL of a share link and the ID of an invite', () => {
    const entry = recorded({
      url: 'https://docs.example.com/v1/orgs/org_1/invites/inv_0123456789abcdefs3cret00',
      responseBody: json({
        items: [
          { object: 'share-link', name: 'Partners', urls: { published: 'https://docs.example.com/s3cret/' } },
          { object: 'invite', id: 'inv_0123456789abcdefs3cret00', role: 'read' },
          { object: 'site', urls: { published: 'https://docs.example.com/kept/' } },
        ],
      }),
    });
    expect(JSON.stringify(entry)).not.toContain('s3cret');
    expect(entry.response.content.text).toContain('https://docs.example.com/kept/');
  });

  it('redacts sign-in codes, tokens in URLs of repositories, and keys of share links', () => {
    const key = 'gT3-s3cret_ab';
    const entry = recorded({
      url: `https://docs.example.com/v1/sites/site_1/published?shareKey=${key}`,
      requestBody: JSON.stringify({ url: 'https://ghp_s3cret@git.test/a.git', ref: 'main' }),
      responseHeaders: {
        'content-type': 'application/json',
        location: '/o/~session?code=s3cret&page=2',
      },
      responseBody: json({
        link: { url: 'https://docs.example.com/o/~session?code=s3cret', expiresAt: 'kept' },
        site: { urls: { published: `https://docs.example.com/${key}/` } },
        items: [
          { siteShareKey: 'another-s3cret-key', url: 'https://docs.example.com/another-s3cret-key/guide' },
        ],
      }),
    });
    expect(JSON.stringify(entry)).not.toContain('s3cret');
    expect(JSON.parse(entry.request.postData.text)).toEqual({
      url: 'https://[redacted]@git.test/a.git',
      ref: 'main',
    });
    expect(JSON.parse(entry.response.content.text)).toEqual({
      link: { url: 'https://docs.example.com/o/~session?code=[redacted]', expiresAt: 'kept' },
      site: { urls: { published: 'https://docs.example.com/[redacted]/' } },
      items: [{ siteShareKey: '[redacted]', url: 'https://docs.example.com/[redacted]/guide' }],
    });
    expect(entry.response.redirectURL).toBe('/o/~session?code=[redacted]&page=2');
  });

  it('leaves out bodies that are not text, or in which secrets cannot be found', () => {
    const bytes = Buffer.from('s3cret');
    expect(
      recorded({ responseHeaders: { 'content-type': 'image/png' }, responseBody: bytes }).response.content,
    ).toEqual({ size: 6, mimeType: 'image/png', comment: 'The content is not recorded.' });
    expect(
      recorded({ responseHeaders: { 'content-type': 'text/plain' }, responseBody: bytes }).response.content
        .text,
    ).toBe('[redacted]');
  });

  it('leaves out bodies that are nested too deeply', () => {
    const deep = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000));
    expect(recorded({ responseBody: deep }).response.content.text).toBe('[redacted]');
  });

  it('writes a file that only its owner can read, replaces an earlier recording, and requires a folder', () => {
    recorded({ responseBody: json({ title: 'x'.repeat(10_000) }) });
    expect(statSync(join(cwd, 'a.har')).mode & 0o077).toBe(0);
    open().save();
    expect(statSync(join(cwd, 'a.har')).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, 'a.har'), 'utf8')).log.entries).toEqual([]);
    writeFileSync(join(cwd, 'empty.har'), '', { mode: 0o644 });
    for (const path of ['empty.har', 'new.har']) {
      open(path).save();
      expect(statSync(join(cwd, path)).mode & 0o077).toBe(0);
    }
    expect(() => open('nowhere/a.har')).toThrow('The file nowhere/a.har of --record cannot be written.');
    expect(readdirSync(cwd).toSorted()).toEqual(['a.har', 'empty.har', 'new.har']);
  });

  it('replaces no other files or links, even if they appear while it records', () => {
    const [foreign, link] = [join(cwd, 'notes.txt'), join(cwd, 'link.har')];
    writeFileSync(foreign, '{"log":{"creator":{"name":"Firefox"}}}');
    symlinkSync(foreign, link);
    symlinkSync(join(cwd, 'nothing'), join(cwd, 'dangling.har'));
    execFileSync('mkfifo', [join(cwd, 'pipe.har')]);
    const refused = { reason: 'guard-refused', hint: expect.stringContaining('or name another one.') };
    for (const [path, message] of [
      ['notes.txt', 'The file notes.txt already exists.'],
      ['link.har', 'link.har exists and is not a regular file.'],
      ['dangling.har', 'dangling.har exists and is not a regular file.'],
      // The pipe has no writer, so reading it would never end.
      ['pipe.har', 'pipe.har exists and is not a regular file.'],
      ['.', '. exists and is not a regular file.'],
    ] as const)
      expect(() => open(path)).toThrow(expect.objectContaining({ ...refused, message }));
    const { save } = open('late.har');
    symlinkSync(foreign, join(cwd, 'late.har'));
    expect(save).toThrow(expect.objectContaining(refused));
    expect(readFileSync(foreign, 'utf8')).toBe('{"log":{"creator":{"name":"Firefox"}}}');
    expect(existsSync(join(cwd, 'nothing'))).toBe(false);
  });

  it('keeps the earlier recording until it is saved', () => {
    recorded({});
    const before = readFileSync(join(cwd, 'a.har'), 'utf8');
    const { save } = open();
    expect(readFileSync(join(cwd, 'a.har'), 'utf8')).toBe(before);
    save();
    expect(readFileSync(join(cwd, 'a.har'), 'utf8')).not.toBe(before);
  });
});
