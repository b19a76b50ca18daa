import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScriptRuntime } from '../../src/core/scripts.ts';
import { ask, drivers, forms, samples, scriptOf } from './samples.ts';

// Tests for every runtime of scripts. QuickJS is always available; DOCSCTL_TEST_WORKERD is the path of a workerd program.

const document = { type: 'document', theme: 'light' };
const drawing = { type: 'ui_render', componentId: 'diagram', props: { content: 'a' }, context: document };
const request = { method: 'post', url: 'https://docs.example/a?b=c', headers: { 'x-sent': 'yes' } };

/** Events for the sample script, with the status of the answer and a part of its JSON. */
const answers: readonly (readonly [string, { type: string; [field: string]: unknown }, number, object])[] = [
  [
    'a request',
    { type: 'fetch', request },
    200,
    { method: 'POST', header: 'yes', body: 'bödy', url: request.url },
  ],
  ['a component', drawing, 200, { type: 'element', state: { count: 0 }, element: { type: 'block' } }],
  [
    'an action',
    { ...drawing, state: { count: 1 }, action: { action: '@count' } },
    200,
    { state: { count: 2 } },
  ],
  ['an unknown component', { ...drawing, componentId: 'x' }, 404, { error: 'Component x not found' }],
  ['an event without a handler', { type: 'site_view' }, 406, { error: 'No handler for site_view' }],
  [
    'a task that fails',
    { type: 'task', task: { fails: true } },
    500,
    { error: 'The task fails on purpose.' },
  ],
];

/** Code that runs in every runtime, and its answer. */
const values: readonly (readonly [string, string, unknown])[] = [
  [
    'URLs',
    `const url = new URL('https://u:p@Ex%41mple.com:443/a/../b?q=ä&q=2#h'); url.searchParams.append('r', 'ö &'); return Response.json([url.href, [...url.searchParams]])`,
    [
      'https://u:p@example.com/b?q=%C3%A4&q=2&r=%C3%B6+%26#h',
      [
        ['q', 'ä'],
        ['q', '2'],
        ['r', 'ö &'],
      ],
    ],
  ],
  [
    'base64, UTF-8 and hashes',
    `const bytes = new TextEncoder().encode('Grüße'); return Response.json([btoa(String.fromCharCode(...bytes)), new TextDecoder().decode(bytes), [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]])`,
    [Buffer.from('Grüße').toString('base64'), 'Grüße', [...createHash('sha256').update('Grüße').digest()]],
  ],
  [
    'forms',
    `const form = new FormData(); form.append('a', 'ü'); form.append('f', new File([Uint8Array.of(0, 255)], 'x.bin', { type: 'image/png' })); const read = await new Response(form).formData(); const file = read.get('f'); return Response.json([read.get('a'), file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]])`,
    ['ü', 'x.bin', 'image/png', [0, 255]],
  ],
  [
    'headers, timers and streams',
    `const headers = new Headers({ B: '1' }); headers.append('a', '2'); headers.append('b', '3'); await new Promise((resolve) => setTimeout(resolve, 5)); const stream = new ReadableStream({ start(controller) { controller.enqueue(new TextEncoder().encode('pieces')); controller.close(); } }); return Response.json([[...headers], await new Response(stream).text()])`,
    [
      [
        ['a', '2'],
        ['b', '1, 3'],
      ],
      'pieces',
    ],
  ],
  [
    'requests to other services',
    `const answer = await fetch(new Request('https://api.example/x?y=1', { method: 'PUT', headers: { 'content-type': 'text/x-own' }, body: 'ä' })); return Response.json([answer.status, answer.headers.get('x-type'), answer.url, await answer.json()])`,
    [
      200,
      'text/x-own',
      'https://api.example/x?y=1',
      { url: 'https://api.example/x?y=1', method: 'PUT', body: 'ä' },
    ],
  ],
  [
    'global functions that a script can replace and delete',
    `const own = () => 'own'; globalThis.fetch = own; delete globalThis.btoa; return Response.json([fetch(), typeof btoa])`,
    ['own', 'undefined'],
  ],
  [
    'nothing of the machine',
    `const missing = []; for (const name of ['fs', 'node:fs', 'node:child_process']) missing.push(await import(name).then(() => 'there', () => 'missing')); const env = await import('node:process').then((it) => Object.keys(it.default.env), () => []); return Response.json([typeof process, typeof require, typeof Buffer, typeof Deno, missing, env])`,
    ['undefined', 'undefined', 'undefined', 'undefined', ['missing', 'missing', 'missing'], []],
  ],
];

describe.each(drivers)('%s', (driver, create) => {
  let runtime: ScriptRuntime;
  beforeAll(() => {
    runtime = create();
  });
  afterAll(() => runtime.close());

  describe.each(forms)('a script of the form %s', (form) => {
    it.each(answers)('answers %s', async (_, event, status, part) => {
      const body = event.type === 'fetch' ? Buffer.from('bödy') : undefined;
      const { answer, json, logs, error } = await ask(runtime, form, samples[form], {
        integration: `${driver}-${form}`,
        event,
        body,
      });
      expect([answer?.status, error]).toEqual([status, undefined]);
      expect(json()).toMatchObject(part);
      expect(logs[0]).toMatchObject({ level: 'info', message: `handles ${event.type}` });
    });

    it('keeps the headers and bytes of its answer', async () => {
      const code = `return new Response(Uint8Array.of(0, 255, 10), { status: 201, headers: { 'x-own': 'yes' } })`;
      const { answer } = await ask(runtime, form, scriptOf(form, code));
      expect([answer?.status, [...(answer?.body ?? [])]]).toEqual([201, [0, 255, 10]]);
      expect(answer?.headers).toContainEqual(['x-own', 'yes']);
    });

    it('continues after its answer with the promises passed to waitUntil', async () => {
      const code = `waitUntil(fetch('https://example.com/later').then(() => console.log('later', { a: [1] }))); waitUntil(Promise.reject(new Error('lost'))); return new Response('now')`;
      const order: string[] = [];
      const result = await runtime.run({
        integration: `${driver}-${form}-later`,
        version: '1',
        form,
        script: async () => scriptOf(form, code),
        message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
        onAnswer: ({ body }) => order.push(Buffer.from(body).toString()),
      });
      expect(order).toEqual(['now']);
      expect(result.logs.map(({ message }) => message).toSorted()).toEqual([
        expect.stringMatching(/^A promise given to waitUntil failed: Error: lost/),
        'later { a: [ 1 ] }',
      ]);
    });

    it('fails if it cannot be loaded or does not return a response', async () => {
      const errors = [];
      for (const script of [
        'this is no program',
        'throw new TypeError("at the start")',
        form === 'v1' ? '1' : 'export default {}',
        scriptOf(form, 'return "text"'),
        scriptOf(form, 'return process.env'),
        scriptOf(form, 'throw new RangeError("on purpose")'),
        scriptOf(form, 'throw { code: 5 }'),
        scriptOf(form, 'throw { get code() { throw 1 } }'),
        scriptOf(form, 'throw Object.assign(new Error("no"), { stack: 1 })'),
        scriptOf(form, 'return await fetch("no address")'),
      ])
        errors.push((await ask(runtime, form, script)).error);
      expect(errors).toEqual([
        expect.stringMatching(/^The script failed: SyntaxError/),
        expect.stringMatching(/^The script failed: TypeError: at the start/),
        expect.stringMatching(form === 'v1' ? /does not listen for the event/ : /no default export/),
        expect.stringContaining('did not answer with a Response'),
        expect.stringMatching(/ReferenceError: '?process/),
        expect.stringMatching(/^The script failed: RangeError: on purpose/),
        'The script failed: it threw { code: 5 }',
        'The script failed: it threw [not readable]',
        'The script failed: it threw an error that cannot be read',
        // Positions in docsctl itself are no use to the author of a script.
        expect.stringMatching(/^The script failed: TypeError: (?!.*docsctl:)/),
      ]);
    });

    it.each(values)('has working web APIs: %s', async (_, code, expected) => {
      const { error, json } = await ask(runtime, form, scriptOf(form, code));
      expect(error).toBeUndefined();
      expect(json()).toEqual(expected);
    });
  });

  it('keeps the global variables of a script for each version and installation', async () => {
    const script = `let count = 0;${scriptOf('v2', 'return Response.json(++count)')}`;
    const next = async (version: string, installation = 'ins_1') =>
      (await ask(runtime, 'v2', script, { integration: `${driver}-counter`, version, installation })).json();
    expect([await next('1'), await next('1'), await next('2'), await next('2', 'ins_2')]).toEqual([
      1, 2, 1, 1,
    ]);
  });

  it('handles many messages at the same time', async () => {
    const script = scriptOf(
      'v2',
      `const form = await request.formData(); return new Response(JSON.parse(form.get('event')).number)`,
    );
    const integration = `${driver}-many`;
    const all = Array.from({ length: 12 }, (_, number) =>
      ask(runtime, 'v2', script, { integration, event: { type: 'task', number }, version: '1' }),
    );
    expect((await Promise.all(all)).map(({ text }) => text)).toEqual(all.map((_, number) => String(number)));
  });

  it('stops messages that are aborted, and all messages when it is closed', async () => {
    const own = create();
    const stop = new AbortController();
    const run = (signal?: AbortSignal) =>
      own.run({
        integration: 'endless',
        version: '1',
        form: 'v2',
        script: async () =>
          scriptOf('v2', `console.log('runs'); await new Promise((resolve) => setTimeout(resolve, 1e6))`),
        message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
        ...(signal === undefined ? {} : { signal }),
      });
    const running = run(stop.signal);
    setTimeout(() => stop.abort(), 50);
    await expect(running).rejects.toMatchObject({ reason: 'interrupted' });
    const left = run().then(
      ({ error }) => error,
      ({ message }: Error) => message,
    );
    setTimeout(() => void own.close(), 50);
    expect(await left).toMatch(/stopping/);
    await expect(run()).rejects.toMatchObject({ reason: 'interrupted' });
  });
});
