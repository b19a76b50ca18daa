import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeError, hostCalls, readForm } from '../../../src/script-runtime/host-calls.ts';

// Scripts use all features of the standards, including those that programs for Node should avoid.
// oxlint-disable typescript/no-deprecated, typescript/restrict-template-expressions, typescript/no-base-to-string, unicorn/no-invalid-fetch-options, unicorn/prefer-add-event-listener

// The classes available to scripts must behave like those of Node. They run here without a runtime.

type Web = Pick<
  typeof globalThis,
  | 'AbortController'
  | 'AbortSignal'
  | 'Blob'
  | 'Event'
  | 'EventTarget'
  | 'File'
  | 'FormData'
  | 'Headers'
  | 'ReadableStream'
  | 'Request'
  | 'Response'
  | 'TextDecoder'
  | 'TextEncoder'
  | 'URL'
  | 'URLSearchParams'
  | 'atob'
  | 'btoa'
>;
let guest: Web;

const globals = globalThis as { docsctlHost?: object };
beforeAll(async () => {
  let settle: (id: number, succeeded: boolean, output: string) => void;
  globals.docsctlHost = {
    call: (name: string, input: string, bytes?: ArrayBuffer) => {
      try {
        const result = hostCalls[name]?.(JSON.parse(input) as never, bytes);
        return typeof result === 'string' ? JSON.stringify(result) : result;
      } catch (error) {
        throw new Error(describeError(error), { cause: error });
      }
    },
    start: (id: number, name: string, input: string, bytes = new ArrayBuffer(0)) => {
      if (name !== 'form') throw new Error(`No script here asks for ${name}.`);
      void readForm(JSON.parse(input) as string, new Uint8Array(bytes)).then(
        (fields) => settle(id, true, JSON.stringify(fields)),
        (error: unknown) => settle(id, false, JSON.stringify(describeError(error))),
      );
    },
  };
  const path = '../../../src/script-runtime/guest';
  ({ settle } = await import(`${path}/host.ts`));
  const modules = ['blob', 'body', 'events', 'headers', 'request', 'streams', 'text', 'url'];
  guest = Object.assign({}, ...(await Promise.all(modules.map((name) => import(`${path}/${name}.ts`)))));
});
afterAll(() => {
  delete globals.docsctlHost;
});

/** Returns the result of code that uses the given classes: its value, or the kind of error that it throws. */
async function outcomeOf(code: (web: Web) => unknown, web: Web): Promise<unknown> {
  try {
    return await code(web);
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}
/** Returns the result of each function. */
const each = async (...codes: (() => unknown)[]): Promise<unknown[]> =>
  Promise.all(codes.map((code) => outcomeOf(code, guest)));
const bytes = (...values: number[]) => Uint8Array.of(...values);
const listOf = (buffer: ArrayBuffer | Uint8Array) => [...new Uint8Array(buffer)];

const table: Record<string, (web: Web) => unknown> = {
  'text encoders': ({ TextEncoder }) => {
    const encoder = new TextEncoder();
    const into = (text: string, size: number) => encoder.encodeInto(text, new Uint8Array(size));
    return [
      encoder.encoding,
      listOf(encoder.encode()),
      listOf(encoder.encode('ü🚀')),
      into('aüb', 2),
      into('aüb', 3),
      into('🚀', 3),
      into('🚀', 4),
    ];
  },
  'text decoders': async ({ TextDecoder }) => {
    const cut = new TextDecoder();
    const whole = cut.decode(bytes(0xc3), { stream: true }) + cut.decode(bytes(0xbc));
    const decode =
      (label: string, options: object, ...values: number[]) =>
      () =>
        new TextDecoder(label, options).decode(bytes(...values));
    return [
      whole,
      cut.decode(),
      new TextDecoder('latin1').encoding,
      await each(
        decode('utf-8', {}, 0xff),
        decode('utf-8', { fatal: true }, 0xff),
        decode('utf-8', {}, 0xef, 0xbb, 0xbf, 0x61),
        decode('utf-8', { ignoreBOM: true }, 0xef, 0xbb, 0xbf, 0x61),
        decode('utf-16le', {}, 0x61, 0),
        decode('no-such-label', {}),
        () => new TextDecoder().decode('text' as never),
      ),
      new TextDecoder().decode(bytes(1, 97, 98, 2).subarray(1, 3)),
    ];
  },
  base64: async ({ atob, btoa }) => [
    btoa('a\xff'),
    atob(' YQ== '),
    await each(
      () => btoa('ü€'),
      () => atob('%'),
    ),
  ],
  'parts of URLs': ({ URL }) => {
    const url = new URL('../c?x=1#h', 'https://u:p@a.example:8443/b/d/e');
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
    return [
      href,
      origin,
      protocol,
      username,
      password,
      host,
      hostname,
      port,
      pathname,
      search,
      hash,
      `${url}`,
      JSON.stringify(url),
    ];
  },
  'changes of URLs': ({ URL }) => {
    const url = new URL('https://a.example/b?x=1');
    const { searchParams } = url;
    const seen: unknown[] = [];
    const note = () => seen.push([url.href, [...searchParams]]);
    url.pathname = '/ä b';
    note();
    searchParams.append('y', '2 &');
    note();
    url.search = '?z=3';
    note();
    searchParams.set('z', '4');
    note();
    searchParams.delete('z');
    note();
    url.hash = 'h';
    note();
    url.href = 'http://b.example/?q';
    note();
    url.port = '81';
    searchParams.sort();
    note();
    return seen;
  },
  'texts that are no URLs': async ({ URL }) => [
    URL.canParse('a'),
    URL.canParse('a', 'https://b.example'),
    URL.canParse('https://a.example'),
    await each(
      () => new URL('a'),
      () => new URL('a', 'b'),
      () => ((new URL('https://a.example').href = 'x'), 'not reached'),
    ),
  ],
  parameters: async ({ URLSearchParams }) => {
    const all = new URLSearchParams('?a=1&b=2&a=3&&c&=d&e=f=g&h+i=%C3%A4+%26');
    const seen: unknown[] = [
      [...all],
      all.size,
      `${all}`,
      all.get('a'),
      all.get('x'),
      all.getAll('a'),
      all.has('c'),
      all.has('x'),
      all.has('a', '3'),
      all.has('a', '4'),
    ];
    all.set('a', '9');
    seen.push(`${all}`);
    all.set('z', "!'()~*-._ 🚀");
    seen.push(`${all}`);
    all.delete('b', '3');
    seen.push(`${all}`);
    all.delete('b', '2');
    all.delete('c');
    all.append('a', '0');
    all.sort();
    seen.push(`${all}`, [...all.keys()], [...all.values()], [...all.entries()].length);
    const names: unknown[] = [];
    all.forEach((value, name, self) => names.push([name, value, self === all]));
    return [
      seen,
      names,
      `${new URLSearchParams({ a: '1', b: '2' })}`,
      `${new URLSearchParams([['a', '1']])}`,
      `${new URLSearchParams(new URLSearchParams('x=y'))}`,
      await each(() => `${new URLSearchParams([['a']] as never)}`),
    ];
  },
  headers: async ({ Headers }) => {
    const headers = new Headers({ B: ' 1\t', 'x-Own': 'yes' });
    headers.append('b', '2');
    headers.append('Set-Cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    headers.set('c', '3');
    headers.set('C', '4');
    headers.delete('X-OWN');
    const names: unknown[] = [];
    headers.forEach((value, name) => names.push([name, value]));
    return [
      [...headers],
      names,
      [...headers.keys()],
      [...headers.values()],
      headers.get('B'),
      headers.get('gone'),
      headers.has('c'),
      headers.has('gone'),
      headers.getSetCookie(),
      [
        ...new Headers([
          ['a', '1'],
          ['a', '2'],
        ]),
      ],
      [...new Headers(headers)],
      [...new Headers()],
      await each(
        () => new Headers({ 'a b': '1' }),
        () => new Headers({ a: 'b\nc' }),
        () => new Headers({ a: '\u0100' }),
        () => [...new Headers({ a: '\xff' })],
        () => new Headers([['a']] as never),
        () => new Headers([['a', 'b', 'c']] as never),
        () => new Headers('a' as never),
        () => headers.get('a b'),
        () => headers.has(''),
      ),
    ];
  },
  blobs: async ({ Blob, File }) => {
    const blob = new Blob(['aü', bytes(1, 2, 3).subarray(1), new Blob(['b'])], { type: 'Text/X' });
    const file = new File([blob], 'x.bin', { type: 'image/png', lastModified: 7 });
    return [
      blob.size,
      blob.type,
      await blob.text(),
      listOf(await blob.arrayBuffer()),
      [
        await blob.slice(1, 3).text(),
        await blob.slice(-1).text(),
        blob.slice(0, 1, 'a/b').type,
        blob.slice().type,
      ],
      new Blob([], { type: 'ü' }).type,
      new Blob([]).size,
      [file.name, file.type, file.size, file.lastModified, file instanceof Blob],
      [
        await new Response(blob.stream() as never).text(),
        await new Response(new Blob([]).stream() as never).text(),
      ].length,
    ];
  },
  forms: async ({ Blob, File, FormData, Response }) => {
    const form = new FormData();
    form.append('a', '1');
    form.append('b', 'x"\r\n');
    form.append('a', '2');
    form.append('f', new Blob(['data']), 'n.txt');
    form.append('g', new Blob(['data']));
    form.append('h', new File(['data'], 'a"b\n.txt', { type: 'text/x' }));
    form.append('i', new File(['data'], 'old'), 'new');
    const shown = async (all: FormData) =>
      Promise.all(
        [...all].map(async ([name, value]) =>
          typeof value === 'string' ? [name, value] : [name, value.name, value.type, await value.text()],
        ),
      );
    const seen: unknown[] = [
      await shown(form),
      form.get('a'),
      form.get('x'),
      form.getAll('a'),
      form.has('b'),
      form.has('x'),
    ];
    const written = new Response(form);
    const headers = { 'content-type': written.headers.get('content-type') ?? '' };
    seen.push(await shown(await new Response(await written.arrayBuffer(), { headers }).formData()));
    seen.push(
      /^multipart\/form-data; boundary=\S+$/.test(new Response(form).headers.get('content-type') ?? ''),
    );
    form.set('a', '3');
    form.set('z', '4');
    form.delete('f');
    const names: string[] = [];
    form.forEach((_, name) => names.push(name));
    return [seen, [...form.keys()], [...form.values()].length, names, form.get('a')];
  },
  'forms in bodies': async ({ Response, URLSearchParams }) => {
    const type = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    return [
      [...(await new Response('a=1&b=%C3%BC', type).formData())],
      [...(await new Response(new URLSearchParams({ a: 'ü' })).formData())],
      await each(async () =>
        new Response('a', { headers: { 'content-type': 'multipart/form-data' } }).formData(),
      ),
    ];
  },
  bodies: async ({ Blob, Response, URLSearchParams }) => {
    const typeOf = (body: ConstructorParameters<typeof Response>[0], headers = {}) =>
      new Response(body, { headers }).headers.get('content-type');
    const twice = new Response('a');
    await twice.text();
    const locked = new Response('a');
    locked.body?.getReader();
    const empty = new Response(null);
    return [
      await new Response('ü').text(),
      listOf(await new Response(bytes(1, 2, 3).subarray(1)).arrayBuffer()),
      await new Response('{"a":1}').json(),
      await (await new Response(new Blob(['a'], { type: 'a/b' })).blob()).text(),
      (await new Response(new Blob(['a'], { type: 'a/b' })).blob()).type,
      [
        typeOf('a'),
        typeOf(bytes(1)),
        typeOf(new Blob(['a'])),
        typeOf(new Blob(['a'], { type: 'a/b' })),
        typeOf(new URLSearchParams()),
        typeOf(null),
        typeOf('a', { 'content-type': 'x/y' }),
      ],
      [twice.bodyUsed, empty.bodyUsed, empty.body, await empty.text(), empty.bodyUsed],
      await each(
        () => twice.text(),
        () => twice.clone(),
        () => locked.text(),
        () => new Response('x').json(),
      ),
    ];
  },
  'bodies as streams': async ({ Blob, ReadableStream, Response }) => {
    const textOf = async (body: unknown) => {
      const pieces: number[] = [];
      for await (const chunk of body as AsyncIterable<Uint8Array>) pieces.push(...chunk);
      return Buffer.from(pieces).toString();
    };
    const source = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes(97));
          controller.enqueue(bytes(98));
          controller.close();
        },
      });
    const response = new Response(source());
    const copy = response.clone();
    return [
      await textOf(new Response('some text').body),
      await textOf(new Response('').body),
      await textOf(new Response(new Blob(['blob'])).body),
      await new Response(source()).text(),
      [await response.text(), await copy.text()],
      await each(() =>
        new Response(
          new ReadableStream({ start: (one) => (one.enqueue('text' as never), one.close()) }),
        ).text(),
      ),
      new Response(source()).body === null,
    ];
  },
  'states of streams': async ({ ReadableStream }) => {
    let count = 0;
    const cancelled: unknown[] = [];
    const numbers = () =>
      new ReadableStream({
        pull: (controller) => (++count > 3 ? controller.close() : controller.enqueue(count)),
        cancel: (reason) => void cancelled.push(reason),
      });
    const seen: unknown[] = [];
    for await (const number of numbers()) seen.push(number);
    count = 0;
    const stream = numbers();
    const reader = stream.getReader();
    seen.push(await reader.read(), stream.locked);
    seen.push(
      await each(
        () => stream.getReader(),
        () => stream.cancel(),
      ),
    );
    reader.releaseLock();
    seen.push(stream.locked, await stream.cancel('enough'), cancelled);
    seen.push((await stream.getReader().read()).done);
    const failing = (source: object) => async () => {
      for await (const chunk of new ReadableStream(source)) seen.push(chunk);
    };
    seen.push(
      await each(
        failing({ start: () => Promise.reject(new RangeError('no')) }),
        failing({ pull: () => Promise.reject(new RangeError('no')) }),
        failing({
          start: (controller: ReadableStreamDefaultController) => controller.error(new RangeError('no')),
        }),
        failing({
          start: (controller: ReadableStreamDefaultController) => (controller.close(), controller.enqueue(1)),
        }),
      ),
    );
    let late: ReadableStreamDefaultController | undefined;
    const waiting = new ReadableStream({ start: (controller) => void (late = controller) }).getReader();
    const read = waiting.read();
    late?.enqueue('late');
    seen.push(await read);
    return seen;
  },
  responses: async ({ Response }) => {
    const { status, statusText, ok, redirected, type, url } = new Response(null, {
      status: 299,
      statusText: 'Fine',
    });
    const json = Response.json({ a: 1 }, { status: 201, headers: { 'x-own': '1' } });
    const redirect = Response.redirect('https://a.example/', 308);
    const statuses = [199, 200, 204, 300, 599, 600, 1.5];
    return [
      [status, statusText, ok, redirected, type, url],
      [new Response().status, new Response().ok, new Response(null, { status: 300 }).ok],
      [json.status, json.headers.get('content-type'), json.headers.get('x-own'), await json.json()],
      Response.json(1, { status: 200, headers: { 'content-type': 'x/y' } }).headers.get('content-type'),
      [
        redirect.status,
        redirect.headers.get('location'),
        (Response as unknown as { redirect(url: string): Response }).redirect('https://a.example/').status,
      ],
      [Response.error().status, Response.error().type, Response.error().ok],
      await each(
        ...statuses.map((one) => () => new Response(null, { status: one }).status),
        ...statuses.map((one) => () => new Response('a', { status: one }).status),
        () => new Response('a', { status: 304 }),
        () => Response.redirect('https://a.example/', 304 as never),
      ),
    ];
  },
  'copies of responses': async ({ Response }) => {
    const one = new Response('a', { status: 201, statusText: 'S', headers: { b: 'c' } });
    const copy = one.clone();
    copy.headers.set('b', 'd');
    const none = new Response(null, { status: 204 }).clone();
    return [
      one.headers.get('b'),
      copy.headers.get('b'),
      copy.status,
      copy.statusText,
      await one.text(),
      await copy.text(),
      none.status,
      none.body,
    ];
  },
  requests: async ({ AbortController, Request }) => {
    const controller = new AbortController();
    const one = new Request('https://a.example/ä?b', {
      method: 'post',
      headers: { a: 'b' },
      body: 'c',
      redirect: 'manual',
      signal: controller.signal,
    });
    const copy = one.clone();
    const other = new Request(one.clone(), { method: 'PUT', headers: { d: 'e' } });
    controller.abort();
    return [
      [
        one.url,
        one.method,
        one.redirect,
        one.headers.get('a'),
        one.headers.get('content-type'),
        one.signal.aborted,
      ],
      [copy.url, copy.method, copy.redirect, copy.headers.get('a'), await copy.text(), await one.text()],
      [other.method, other.headers.get('a'), other.headers.get('d'), await other.text()],
      [
        new Request('https://a.example').method,
        new Request('https://a.example').redirect,
        new Request('https://a.example', { method: 'own' }).method,
      ],
      await each(
        () => new Request('a'),
        () => new Request('https://a.example', { body: 'a' }),
        () => new Request('https://a.example', { method: 'HEAD', body: 'a' }),
        () => new Request('https://a.example', { method: 'a b' }),
        () => new Request('https://a.example', { method: 'CONNECT' }),
        () => new Request('https://a.example', { method: 'GET', body: null }).method,
      ),
    ];
  },
  events: ({ Event, EventTarget }) => {
    const target = new EventTarget();
    const seen: unknown[] = [];
    const listener = (event: Event) => seen.push(['function', event.type, event.target === target]);
    const object = { handleEvent: (event: Event) => void (event.preventDefault(), seen.push('object')) };
    target.addEventListener('a', listener);
    target.addEventListener('a', listener);
    target.addEventListener('a', object, { once: true });
    target.addEventListener('b', listener, true);
    const dispatch = (type: string) => seen.push(target.dispatchEvent(new Event(type, { cancelable: true })));
    for (const type of ['a', 'a', 'b', 'c']) dispatch(type);
    target.removeEventListener('a', listener);
    dispatch('a');
    return seen;
  },
  signals: async ({ AbortController, AbortSignal }) => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    const { signal } = controller;
    signal.onabort = ({ type }) => seen.push(`on${type}`);
    signal.addEventListener('abort', () => seen.push('heard'));
    const any = AbortSignal.any([new AbortController().signal, signal]);
    signal.throwIfAborted();
    seen.push(signal.aborted, any.aborted, signal.reason);
    controller.abort('why');
    controller.abort('again');
    seen.push(signal.aborted, signal.reason, any.aborted, any.reason);
    const given = AbortSignal.abort();
    seen.push(
      given.aborted,
      (given.reason as Error).name,
      AbortSignal.any([given]).aborted,
      AbortSignal.any([]).aborted,
    );
    seen.push(await each(() => given.throwIfAborted()));
    return seen;
  },
};

it.each(Object.keys(table))('%s behave as in Node', async (name) => {
  const code = table[name] ?? (() => undefined);
  const expected = await outcomeOf(code, globalThis);
  expect(await outcomeOf(code, guest)).toEqual(expected);
  expect(Array.isArray(expected)).toBe(true);
});
