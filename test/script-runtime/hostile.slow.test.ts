import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutgoing } from '../../src/client/outgoing.ts';
import { readAllowList } from '../../src/client/allow-list.ts';
import type { ScriptRuntime } from '../../src/core/scripts.ts';
import { ask, drivers, forms, quickjs, scriptOf } from './samples.ts';

const computing = 'The script was stopped: it computed longer than 0.3 s.';
const stopped = expect.stringContaining('The script was stopped: it ');

describe.each(drivers)('%s', (driver, create) => {
  // The memory that workerd itself needs grows with each message.
  const megabytes = driver === 'QuickJS' ? 32 : 128;
  const memory = `The script was stopped: it needed more than ${megabytes} MiB of memory.`;
  let runtime: ScriptRuntime;
  beforeAll(() => {
    runtime = create({
      outgoing: createOutgoing({ allow: readAllowList(undefined) }),
      limits: { computing: 300, total: 30_000, memory: megabytes * 2 ** 20, answer: 2 ** 20, requests: 5 },
    });
  });
  afterAll(() => runtime.close());

  describe.each(forms)('a hostile script of the form %s', (form) => {
    it.each([
      ['loops forever', 'for (;;);', computing],
      ['loops forever in promises', 'for (;;) await 0;', computing],
      ['catches what stops it', 'for (;;) { try { for (;;); } catch {} }', computing],
      ['searches with a slow pattern', `/(a*)*b/.test('a'.repeat(50)); return new Response('')`, computing],
      [
        'hoards buffers',
        'const all = []; for (;;) all.push(new Uint8Array(2 ** 20).fill(1));',
        driver === 'QuickJS' ? memory : stopped,
      ],
      [
        'takes a gigabyte at once',
        'return new Response(new Uint8Array(2 ** 30).fill(1))',
        driver === 'QuickJS' ? memory : stopped,
      ],
      [
        'doubles a text',
        `let text = 'x'; for (;;) text = (text + text).split('').join('');`,
        expect.stringContaining('stopped'),
      ],
      [
        'never answers',
        'await new Promise(() => {})',
        'The script was stopped: it waits for something that never happens.',
      ],
      [
        'answers with 10 MB',
        `return new Response('x'.repeat(1e7))`,
        'The script was stopped: its answer is larger than 1 MiB.',
      ],
      [
        'calls itself endlessly',
        'const deeper = () => deeper() + 1; deeper()',
        expect.stringMatching(/stack/),
      ],
    ])('that %s is stopped, and works for the next message', async (_, code, error) => {
      const integration = `${driver} ${form}`;
      const whole = `const form = await request.formData(); if (JSON.parse(form.get('event')).type === 'task') return new Response('well'); ${code}`;
      const script = scriptOf(form, whole);
      expect((await ask(runtime, form, script, { integration })).error).toEqual(error);
      const after = await ask(runtime, form, script, { integration, event: { type: 'task' } });
      expect([after.text, after.error]).toEqual(['well', undefined]);
    });
  });

  it('stops a script that sleeps too long', async () => {
    const own = create({ limits: { total: 1000 } });
    const script = scriptOf('v2', 'await new Promise((resolve) => setTimeout(resolve, 1e6))');
    expect((await ask(own, 'v2', script)).error).toBe('The script was stopped: it was not done after 1 s.');
    await own.close();
  });

  it.each([
    'http://127.0.0.1/',
    'http://localhost:22/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://0x7f000001/',
    'file:///etc/passwd',
    'ftp://example.com/',
  ])('refuses requests of a script to %s, and logs them', async (url) => {
    const code = `try { await fetch(${JSON.stringify(url)}); return new Response('reached') } catch (error) { return new Response(error.message) }`;
    const { text, logs } = await ask(runtime, 'v2', scriptOf('v2', code), { integration: 'reaching' });
    expect(text).toMatch(/^fetch failed: /);
    expect(logs).toMatchObject([{ level: 'warn', message: expect.stringContaining(url.slice(0, 6)) }]);
  });

  it('limits the number of requests of a script, and allows only HTTP methods', async () => {
    const code = `const said = []; for (let at = 0; at < 7; at++) said.push(await fetch('http://127.0.0.1/' + at).catch((error) => error.message)); return Response.json(said)`;
    const { json } = await ask(runtime, 'v2', scriptOf('v2', code));
    expect((json() as string[]).slice(-1)).toEqual([
      'fetch failed: A script can send at most 5 requests for each message.',
    ]);
  });

  it.each([
    ['lines that are not texts', `String.prototype.slice = () => ({ toString: 1 })`],
    ['endless lists', `JSON.stringify = () => '["info",' + '['.repeat(1e5) + ']'.repeat(1e5) + ']'`],
    ['invalid requests', `JSON.stringify = () => '{"url":{"toString":1},"headers":7,"method":{}}'`],
  ])('isolates a script that sends %s', async (_, replace) => {
    const code = `${replace}; console.log('a'); await fetch('https://example.com/').catch(() => 0); return new Response('')`;
    await ask(runtime, 'v2', scriptOf('v2', code));
    const { json, error } = await ask(runtime, 'v2', scriptOf('v2', 'return Response.json(1)'));
    expect({ answer: json(), error }).toEqual({ answer: 1, error: undefined });
  });

  it('limits the memory and log of a script that writes endlessly', async () => {
    const code = `for (let at = 0; at < 5000; at++) console.log('x'.repeat(1000)); return new Response('')`;
    const { logs, error } = await ask(runtime, 'v2', scriptOf('v2', code));
    expect(error === undefined || error === computing).toBe(true);
    expect(logs.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(70_000);
    expect(logs.at(-1)?.message).toBe('The script wrote more lines. They are not kept.');
  });
});

it('answers scripts of other integrations while one loops endlessly', async () => {
  const slow = quickjs({ limits: { computing: 60_000, total: 60_000 } });
  const script = scriptOf('v2', `for (;;);`);
  const stop = new AbortController();
  const looping = slow
    .run({
      integration: 'looping',
      version: '1',
      form: 'v2',
      script: async () => script,
      message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
      signal: stop.signal,
    })
    .catch((error: unknown) => error);
  for (let count = 0; count < 3; count++)
    expect(
      (await ask(slow, 'v2', scriptOf('v2', `return new Response('here')`), { integration: 'other' })).text,
    ).toBe('here');
  await slow.close();
  expect(await looping).toMatchObject({ error: 'The program is stopping.' });
});
