import { createHash, createHmac, webcrypto } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import type { ScriptRuntime } from '../../src/core/scripts.ts';
import { ask, forms, quickjs, samples, scriptOf } from './samples.ts';

let runtime: ScriptRuntime;
beforeAll(() => {
  runtime = quickjs();
});
afterAll(() => runtime.close());

/** Returns the answer of a script as JSON. */
async function evaluate(code: string, integration = 'values'): Promise<unknown> {
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code), { integration });
  expect(error).toBeUndefined();
  return json();
}

describe.each(forms)('a script of the form %s', (form) => {
  const call = (event: { type: string; [field: string]: unknown }, body?: Uint8Array) =>
    ask(runtime, form, samples[form], { event, ...(body === undefined ? {} : { body }), integration: form });

  it('answers requests, with their bodies', async () => {
    const request = { method: 'post', url: 'https://docs.example/a?b=c', headers: { 'x-sent': 'yes' } };
    const { answer, json, logs } = await call({ type: 'fetch', request }, Buffer.from('bödy'));
    expect(answer?.status).toBe(200);
    expect(json()).toMatchObject({ method: 'POST', url: request.url, header: 'yes', body: 'bödy' });
    expect(logs).toMatchObject([{ level: 'info', message: 'handles fetch' }]);
    const without = await call({ type: 'fetch', request: { ...request, method: 'get' } });
    expect(without.json()).toMatchObject({ method: 'GET', body: null });
  });

  it('renders components, and answers their actions', async () => {
    const event = { type: 'ui_render', componentId: 'diagram', props: { content: 'a' } };
    const first = await call({ ...event, context: { type: 'document' } });
    expect(first.json()).toMatchObject({ type: 'element', state: { count: 0 } });
    const next = await call({
      ...event,
      context: { type: 'document' },
      state: { count: 1 },
      action: { action: '@count' },
    });
    expect(next.json()).toMatchObject({ state: { count: 2 } });
    const absent = await call({ ...event, componentId: 'other' });
    expect(absent.answer?.status).toBe(404);
  });

  it('answers 406 for events that it does not handle, and 500 after an error', async () => {
    expect((await call({ type: 'site_view' })).answer?.status).toBe(406);
    const failed = await call({ type: 'task', task: { fails: true } });
    expect([failed.answer?.status, failed.json()]).toEqual([500, { error: 'The task fails on purpose.' }]);
    expect(failed.logs.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining('on purpose'),
    });
  });

  it('continues after its answer with the promises passed to waitUntil', async () => {
    const code = `waitUntil(fetch('https://example.com/later').then(() => console.log('later'))); return new Response('now')`;
    const order: string[] = [];
    const result = await runtime.run({
      integration: `${form}-later`,
      installation: undefined,
      version: '1',
      form,
      script: async () => scriptOf(form, code),
      message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
      onAnswer: ({ body }) => order.push(Buffer.from(body).toString()),
    });
    order.push('done');
    expect(order).toEqual(['now', 'done']);
    expect(result.logs.map(({ message }) => message)).toEqual(['later']);
  });

  it('fails if it cannot be loaded or does not return a response', async () => {
    const errors = [];
    for (const script of [
      'this is no program',
      'throw new TypeError("at the start")',
      form === 'v1' ? '1' : 'export default {}',
      scriptOf(form, 'return "text"'),
      scriptOf(form, 'return process.env'),
    ])
      errors.push((await ask(runtime, form, script, { integration: `${form}-broken` })).error);
    expect(errors).toEqual([
      expect.stringMatching(/^The script failed: SyntaxError/),
      'The script failed: TypeError: at the start',
      expect.stringMatching(form === 'v1' ? /does not listen for the event/ : /no default export/),
      expect.stringContaining('did not answer with a Response'),
      expect.stringMatching(/ReferenceError: '?process/),
    ]);
  });
});

it('suggests runtime v2 if a script of runtime v1 is a module', async () => {
  const errorOf = async (form: 'v1' | 'v2') =>
    (await ask(runtime, form, scriptOf('v2', 'return new Response("a")'), { integration: `${form}-module` }))
      .error;
  expect(await errorOf('v1')).toMatch(
    /^The script failed: SyntaxError: .*\. A module needs "runtime: v2" in the manifest of the integration\.$/,
  );
  expect(await errorOf('v2')).toBeUndefined();
});

it('keeps global variables while the version stays the same, and drops them afterwards', async () => {
  const script = `let count = 0;${scriptOf('v2', 'return Response.json(++count)')}`;
  const next = async (version: string, installation = 'ins_1') =>
    (await ask(runtime, 'v2', script, { integration: 'counter', version, installation })).json();
  expect([
    await next('1'),
    await next('1'),
    await next('2'),
    await next('2', 'ins_2'),
    await next('2'),
  ]).toEqual([1, 2, 1, 1, 2]);
});

describe('APIs for scripts', () => {
  it('include URLs that behave as in Node', async () => {
    const urls = [
      'https://u:p@Ex%41mple.com:443/a/../b?q=ä&q=2#h',
      'http://[::1]:8080/',
      'data:text/plain,x',
    ];
    const found = await evaluate(
      `return Response.json(${JSON.stringify(urls)}.map((one) => { const url = new URL(one); url.hash = 'x y'; return [url.href, url.origin, url.host, [...url.searchParams]]; }))`,
    );
    const expected = urls.map((one) => {
      const url = new URL(one);
      url.hash = 'x y';
      return [url.href, url.origin, url.host, [...url.searchParams]];
    });
    expect(found).toEqual(expected);
    const changed = `const url = new URL('https://a.example/?a=1'); url.searchParams.append('b', 'ö &'); url.searchParams.set('a', '+'); return Response.json([url.href, URL.canParse('no'), URL.canParse('/x', 'https://a.example')])`;
    expect(await evaluate(changed)).toEqual(['https://a.example/?a=%2B&b=%C3%B6+%26', false, true]);
  });

  it('include URL parameters that behave as in Node for any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))),
        async (pairs) => {
          const text = new URLSearchParams(pairs).toString();
          expect(
            await evaluateWith(
              `return Response.json([new URLSearchParams(input.pairs).toString(), [...new URLSearchParams(input.text)]])`,
              { pairs, text },
            ),
          ).toEqual([text, [...new URLSearchParams(text)]]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('include base64, UTF-8 and hashes that behave as in Node for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const list = [...bytes];
        const code = `const bytes = Uint8Array.from(input.list); const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)); return Response.json([btoa(String.fromCharCode(...bytes)), [...atob(btoa(String.fromCharCode(...bytes)))].map((one) => one.charCodeAt(0)), new TextDecoder().decode(bytes), [...new TextEncoder().encode(new TextDecoder().decode(bytes))], [...digest]])`;
        const text = new TextDecoder().decode(bytes);
        expect(await evaluateWith(code, { list })).toEqual([
          Buffer.from(bytes).toString('base64'),
          list,
          text,
          [...new TextEncoder().encode(text)],
          [...createHash('sha256').update(bytes).digest()],
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('include forms that can be written and read', async () => {
    const code = `const form = new FormData(); form.append('a', 'ü'); form.append('f', new File([Uint8Array.of(0, 255, 13, 10)], 'x "y".bin', { type: 'image/png' })); const read = await new Response(form).formData(); const file = read.get('f'); return Response.json([read.get('a'), file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]])`;
    expect(await evaluate(code)).toEqual(['ü', 'x "y".bin', 'image/png', [0, 255, 13, 10]]);
  });

  it('include cryptographic keys that sign and verify', async () => {
    const code = `const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']); const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode('data')); return Response.json([[...new Uint8Array(signed)], await crypto.subtle.verify('HMAC', key, signed, new TextEncoder().encode('data')), key.extractable])`;
    expect(await evaluate(code)).toEqual([
      [...createHmac('sha256', 'key').update('data').digest()],
      true,
      false,
    ]);
    const pair = `const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']); return Response.json(await crypto.subtle.exportKey('jwk', pair.publicKey))`;
    const jwk = (await evaluate(pair)) as webcrypto.JsonWebKey;
    expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256' });
  });

  it('include timers, signals, streams, clones and headers', async () => {
    const code = `
      const order = [];
      setTimeout((one) => order.push(one), 20, 'late'); setTimeout(() => order.push('soon'), 1);
      const stopped = setTimeout(() => order.push('never'), 5); clearTimeout(stopped);
      await new Promise((resolve) => setTimeout(resolve, 60));
      const timedOut = await fetch('https://slow.example', { signal: AbortSignal.abort() }).catch((error) => error.name);
      const stream = new ReadableStream({ start(controller) { controller.enqueue(new TextEncoder().encode('in ')); controller.enqueue(new TextEncoder().encode('pieces')); controller.close(); } });
      const headers = new Headers({ B: '1' }); headers.append('a', '2'); headers.append('b', '3');
      const date = structuredClone({ list: [new Date(0)], map: new Map([[1, 2]]) });
      return Response.json([order, timedOut, await new Response(stream).text(), [...headers], date.list[0].getTime(), date.map.get(1), crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(4)).length]);`;
    expect(await evaluate(code)).toEqual([
      ['soon', 'late'],
      'AbortError',
      'in pieces',
      [
        ['a', '2'],
        ['b', '1, 3'],
      ],
      0,
      2,
      36,
      4,
    ]);
  });

  it('include fetch, with bodies and responses', async () => {
    const code = `const answer = await fetch(new Request('https://api.example/x', { method: 'PUT', body: new URLSearchParams({ a: 'b' }) })); return Response.json([answer.status, answer.ok, answer.headers.get('x-type'), await answer.json()])`;
    expect(await evaluate(code)).toEqual([
      200,
      true,
      'application/x-www-form-urlencoded;charset=UTF-8',
      { url: 'https://api.example/x', method: 'PUT', body: 'a=b' },
    ]);
  });

  it('do not include access to the machine', async () => {
    const code = `return Response.json([typeof process, typeof require, typeof Buffer, typeof docsctlHost, typeof docsctlGuest, typeof WebAssembly, typeof Deno])`;
    expect(await evaluate(code)).toEqual(Array.from({ length: 7 }, () => 'undefined'));
    const imported = await ask(
      runtime,
      'v2',
      `import fs from 'fs'; export default { fetch: () => new Response(String(fs)) }`,
    );
    expect(imported.error).toMatch(/^The script failed: /);
    const dynamic = await ask(
      runtime,
      'v2',
      scriptOf('v2', `return new Response(String(await import('node:fs')))`),
    );
    expect(dynamic.error).toMatch(/^The script failed: /);
  });
});

/** Evaluates code that reads its input from the environment. */
async function evaluateWith(code: string, input: unknown): Promise<unknown> {
  const whole = `const form = await request.formData(); const input = JSON.parse(form.get('environment')); ${code}`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', whole), {
    integration: 'with-input',
    environment: input as object,
  });
  expect(error).toBeUndefined();
  return json();
}

/** Sends a runtime a message whose script never ends. */
function runEndless(runtime: ScriptRuntime, signal?: AbortSignal) {
  return runtime.run({
    integration: 'endless',
    version: '1',
    form: 'v2',
    script: async () => scriptOf('v2', 'await new Promise((resolve) => setTimeout(resolve, 1e6))'),
    message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
    ...(signal === undefined ? {} : { signal }),
  });
}

it('stops messages that are aborted, and starts none after it is closed', async () => {
  const own = quickjs();
  const stop = new AbortController();
  const running = runEndless(own, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await expect(running).rejects.toMatchObject({ reason: 'interrupted' });
  const left = runEndless(own);
  setTimeout(() => void own.close(), 50);
  expect(
    await left.then(
      ({ error }) => error,
      (error: Problem) => error.message,
    ),
  ).toMatch(/stopping/);
  await expect(runEndless(own)).rejects.toBeInstanceOf(Problem);
});

it('stops an aborted message while four others of its installation wait for answers', async () => {
  let open = 0;
  let begin = (): void => {};
  const allOpen = new Promise<void>((resolve) => (begin = resolve));
  const own = quickjs({
    outgoing: () => {
      if (++open === 4) begin();
      return new Promise(() => {});
    },
  });
  const code = scriptOf('v2', `await fetch('https://slow.example')`);
  const run = (signal?: AbortSignal) =>
    own.run({
      integration: 'busy',
      version: '1',
      form: 'v2',
      script: async () => code,
      message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
      ...(signal === undefined ? {} : { signal }),
    });
  const working = Array.from({ length: 4 }, () => run());
  await allOpen;
  const stop = new AbortController();
  const waiting = run(stop.signal);
  // The process has the message before the signal is aborted.
  await setImmediate();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'interrupted' });
  await own.close();
  await Promise.allSettled(working);
});

it('stops an aborted message that waits behind others of its installation', async () => {
  const own = quickjs();
  const stops = Array.from({ length: 6 }, () => new AbortController());
  const all = stops.map(({ signal }) => runEndless(own, signal));
  for (const [at, stop] of stops.toReversed().entries()) {
    stop.abort();
    await expect(all.at(-1 - at)).rejects.toMatchObject({ reason: 'interrupted' });
  }
  await own.close();
});
