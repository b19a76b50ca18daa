import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failedFetchHeader } from '../../../src/script-runtime/failed-fetch.ts';
import type { FetchRequest } from '../../../src/script-runtime/protocol.ts';
import { listenForFetches } from '../../../src/script-runtime/workerd/fetch-server.ts';

let home: string;
let server: Server;
let asked: FetchRequest[];
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-fetch-'));
  asked = [];
  server = await listenForFetches(join(home, 's'), 100, async (one) => {
    asked.push(one);
    if (one.url.endsWith('/fails')) throw new Error('Nö, that is private.');
    return {
      status: 201,
      headers: { 'x-a': '1', 'content-length': '999', connection: 'close' },
      url: one.url,
      body: Buffer.from('answered'),
    };
  });
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(home, { recursive: true, force: true });
});

const send = (path: string, method: string, body = '', headers = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: join(home, 's'), path, method, headers, agent: false }, resolve);
    sent.once('error', reject);
    sent.once('connect', (answer, connection) => {
      connection.destroy();
      resolve(answer);
    });
    sent.end(body);
  });

describe('requests of scripts in workerd', () => {
  it('are sent through the host', async () => {
    const answer = await send('https://example.com/a?b', 'PUT', 'bödy', {
      'x-sent': 'yes',
      'cf-worker': 'x',
    });
    expect([answer.statusCode, answer.headers['x-a'], await text(answer)]).toEqual([201, '1', 'answered']);
    expect(asked).toEqual([
      {
        url: 'https://example.com/a?b',
        method: 'PUT',
        headers: [['x-sent', 'yes']],
        redirect: 'manual',
        body: Buffer.from('bödy'),
      },
    ]);
  });

  it('return the reason of a failure', async () => {
    const answer = await send('http://10.0.0.1/fails', 'GET');
    expect(answer.statusCode).toBe(502);
    expect(decodeURIComponent(String(answer.headers[failedFetchHeader]))).toBe('Nö, that is private.');
  });

  it('are refused if they are too large or not HTTP requests', async () => {
    await expect(send('http://example.com/', 'POST', 'x'.repeat(101))).rejects.toThrow();
    await expect(send('127.0.0.1:22', 'CONNECT')).rejects.toThrow();
    expect(asked).toEqual([]);
  });
});
