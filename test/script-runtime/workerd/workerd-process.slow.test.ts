import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { createWorkerdRuntime } from '../../../src/script-runtime/workerd/workerd-runtime.ts';
import { ask, mirror } from '../samples.ts';

/** A program that listens like workerd, and answers each message with its text. */
const echo = `
const { createServer } = require('node:http');
const { writeSync } = require('node:fs');
const { dirname, join } = require('node:path');
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('base64');
  const lines = [{ type: 'answer', status: 200, headers: [], body }, { type: 'done' }];
  response.end(lines.map((line) => JSON.stringify(line) + '\\n').join(''));
});
server.listen(join(dirname(process.argv.at(-1)), 'script.sock'), () => writeSync(3, '{"event":"listen"}'));
`;

it('workerd gets the event and the environment in the first line of a message, and then its body', async () => {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-echo-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, 'echo.cjs'), echo);
  const binary = join(home, 'workerd');
  writeFileSync(binary, `#!/bin/sh\nexec '${execPath}' '${join(home, 'echo.cjs')}' "$@"\n`);
  chmodSync(binary, 0o755);
  const runtime = createWorkerdRuntime({ binary, outgoing: mirror, api: async () => undefined });
  onTestFinished(() => runtime.close());
  const messageOf = async (body?: Uint8Array) => {
    const { error, text } = await ask(runtime, 'v2', '', { environment: { a: 1 }, body });
    const [head = '', ...rest] = text.split('\n');
    return [error, JSON.parse(head) as unknown, rest.join('\n')];
  };
  const head = { event: { eventId: 'evt_1', type: 'fetch' }, environment: { a: 1 } };
  expect(await messageOf(Buffer.from('a\nb'))).toMatchObject([undefined, { ...head, hasBody: true }, 'a\nb']);
  expect(await messageOf(Buffer.from(''))).toMatchObject([undefined, { ...head, hasBody: true }, '']);
  expect(await messageOf()).toMatchObject([undefined, { ...head, hasBody: false }, '']);
});
