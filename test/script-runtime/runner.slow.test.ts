import { expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { ask, mirror, quickjs, scriptOf } from './samples.ts';

it('rejects a failed request inside the script, which continues', async () => {
  const runtime = quickjs({
    outgoing: async () => {
      throw new Problem('unreachable', 'It is gone.');
    },
  });
  onTestFinished(() => runtime.close());
  const code = `
    try { await fetch('https://example.com/'); return new Response('sent'); }
    catch (error) { return Response.json([error instanceof Error, error.message]); }`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect([error, json()]).toEqual([undefined, [true, expect.stringContaining('gone')]]);
});

it('rejects a request that the script aborts while it waits', async () => {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const runtime = quickjs({
    outgoing: ({ url }) => {
      if (url.endsWith('/slow')) begin();
      return url.endsWith('/slow') ? new Promise(() => {}) : begun.then(() => mirror({ url }));
    },
  });
  onTestFinished(() => runtime.close());
  const code = `
    const stop = new AbortController();
    const slow = fetch('https://example.com/slow', { signal: stop.signal }).catch(({ name }) => name);
    await fetch('https://example.com/other');
    stop.abort();
    return Response.json(await slow);`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect([error, json()]).toEqual([undefined, 'AbortError']);
});

it('limits the memory that pending requests of a script can use', async () => {
  const runtime = quickjs({ limits: { memory: 32 * 2 ** 20 } });
  onTestFinished(() => runtime.close());
  const code = `
    const bytes = new Uint8Array(4 << 20);
    const refusals = [];
    for (let count = 0; count < 8; count++) {
      fetch('https://example.com/', { method: 'POST', body: bytes }).catch(({ message }) => refusals.push(message));
      for (let turn = 0; turn < 20; turn++) await 0;
    }
    const large = { method: 'POST', body: new Uint8Array((5 << 20) + 1) };
    const refused = await fetch('https://example.com/', large).catch(({ message }) => message);
    return Response.json([refusals, refused]);`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  const held = 'The data that a script waits for can be at most 16 MiB.';
  const [refusals, refused] = json() as [string[], string];
  expect([error, refusals.length > 3, new Set(refusals)]).toEqual([undefined, true, new Set([held])]);
  expect([held, 'The body of a request can be at most 5 MiB.', 'out of memory']).toContain(refused);
});

it('limits the memory that many small allocations can use', async () => {
  const runtime = quickjs({ limits: { memory: 32 * 2 ** 20 } });
  onTestFinished(() => runtime.close());
  const keep = (count: number): string =>
    `const all = []; for (let at = 0; at < ${count}; at++) all.push(new Uint8Array(2 ** 20)); return Response.json(all.length);`;
  expect((await ask(runtime, 'v2', scriptOf('v2', keep(24)))).json()).toBe(24);
  const { error } = await ask(runtime, 'v2', scriptOf('v2', keep(60)));
  expect(error).toBe('The script was stopped: it needed more than 32 MiB of memory.');
});

it('refuses a request body that is larger than the limit of answers', async () => {
  const runtime = quickjs({ limits: { answer: 1024 } });
  onTestFinished(() => runtime.close());
  const code = `
    const send = (size) => fetch('https://example.com/', { method: 'POST', body: 'x'.repeat(size) });
    return Response.json([(await send(800)).status, await send(1025).catch(({ message }) => message)]);`;
  const { json } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect(json()).toEqual([200, 'The body of a request can be at most 0.0009765625 MiB.']);
});

it('refuses expensive cryptography, in any notation of its cost', async () => {
  const runtime = quickjs();
  onTestFinished(() => runtime.close());
  const code = `
    const key = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits']);
    const derive = (iterations) => crypto.subtle.deriveBits({ name: 'PBKDF2', salt: new Uint8Array(8), hash: 'SHA-1', iterations }, key, 160);
    const said = [];
    for (const iterations of ['4000000000', ['4000000000'], 1000001, {}])
      said.push(await derive(iterations).then(() => 'done', ({ message }) => message));
    const rsa = { name: 'RSASSA-PKCS1-v1_5', modulusLength: '8192', publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
    said.push(await crypto.subtle.generateKey(rsa, true, ['sign']).then(() => 'done', ({ message }) => message));
    said.push((await derive('1000')).byteLength);
    return Response.json(said);`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  const iterations = 'At most 1,000,000 iterations are allowed.';
  expect([error, json()]).toEqual([
    undefined,
    [...Array(4).fill(iterations), 'Keys of RSA may have at most 4096 bits.', 20],
  ]);
});

it('refuses to derive too many bits, and keys with too many bits', async () => {
  const runtime = quickjs();
  onTestFinished(() => runtime.close());
  const code = `
    const said = [];
    const tell = (work) => work.then((made) => said.push(made.byteLength ?? made.type), ({ message }) => said.push(message));
    const key = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits', 'deriveKey']);
    const slow = { name: 'PBKDF2', salt: new Uint8Array(8), hash: 'SHA-1', iterations: 10 };
    for (const bits of [4096, 4104, '4104', -8, 2 ** 31]) await tell(crypto.subtle.deriveBits(slow, key, bits));
    const hmac = (length) => ({ name: 'HMAC', hash: 'SHA-1', length });
    for (const bits of [512, 2 ** 31 - 8]) await tell(crypto.subtle.deriveKey(slow, key, hmac(bits), false, ['sign']));
    for (const bits of [65_536, 2 ** 31 - 8]) await tell(crypto.subtle.generateKey(hmac(bits), false, ['sign']));
    const part = (bytes) => btoa('\\x81' + 'a'.repeat(bytes - 2) + 'c').replaceAll('=', '');
    const rsa = (bytes) => {
      const [whole, half] = [part(bytes), part(bytes / 2)];
      return { kty: 'RSA', e: 'AQAB', n: whole, d: whole, p: half, q: half, dp: half, dq: half, qi: half };
    };
    const kind = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    for (const bytes of [512, 8190]) await tell(crypto.subtle.importKey('jwk', rsa(bytes), kind, false, ['sign']));
    return Response.json(said);`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  const derived = 'At most 4,096 bits can be derived in iterations.';
  expect([error, json()]).toEqual([
    undefined,
    [
      512,
      derived,
      derived,
      derived,
      derived,
      'secret',
      derived,
      'secret',
      'Keys of HMAC may have at most 65,536 bits.',
      'private',
      'Keys of RSA may have at most 4096 bits.',
    ],
  ]);
});

it('evicts the least recently used cryptographic keys', async () => {
  const runtime = quickjs();
  onTestFinished(() => runtime.close());
  const code = `
    const make = () => crypto.subtle.importKey('raw', new Uint8Array(8), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const first = await make();
    const second = await make();
    for (let count = 0; count < 1200; count++) {
      await make();
      if (count % 100 === 0) await crypto.subtle.sign('HMAC', first, new Uint8Array(1));
    }
    const sign = (key) => crypto.subtle.sign('HMAC', key, new Uint8Array(1)).then(({ byteLength }) => byteLength, ({ message }) => message);
    return Response.json([await sign(first), await sign(second)]);`;
  const { error, json } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect([error, json()]).toEqual([undefined, [32, 'There is no such key.']]);
});

it('refuses an invalid HTTP response', async () => {
  const runtime = quickjs();
  onTestFinished(() => runtime.close());
  const code = `const response = new Response('x'); response.status = 1000; return response;`;
  const { error, answer } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect([answer, error]).toEqual([
    undefined,
    'The script failed: the status or the headers of its answer are not valid.',
  ]);
});

it('writes header names in lower case, even if a script overwrites its classes', async () => {
  const runtime = quickjs();
  onTestFinished(() => runtime.close());
  const code = `const response = new Response('x'); response.headers = [['Set-Cookie', 'a=b']]; return response;`;
  const { answer } = await ask(runtime, 'v2', scriptOf('v2', code));
  expect(answer?.headers).toEqual([['set-cookie', 'a=b']]);
});
