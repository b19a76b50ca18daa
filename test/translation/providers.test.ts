import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createOutgoing, readAllowList } from '../../src/client/outgoing.ts';
import type { Outgoing } from '../../src/core/outgoing.ts';
import { Problem } from '../../src/errors/problem.ts';
import type { Provider } from '../../src/translation/provider.ts';
import { openProvider } from '../../src/translation/providers/index.ts';
import { translateSegments } from '../../src/translation/translate-segments.ts';
import { problemOf, sink, type Sink } from '../client/outgoing-support.ts';

const outgoing = createOutgoing({ allow: readAllowList('') });
const key = 'sk-very-secret';
const request = {
  from: 'en',
  to: 'pt-br',
  instructions: 'Be *formal*.',
  terms: [{ source: 'page', target: 'folha' }],
};
const segments = ['Run <x id="1"/> &amp; wait.', 'A <g id="1">bold</g> word.'];

interface Protocol {
  /** Returns the response of the service for these translations. */
  readonly answer: (texts: readonly unknown[]) => unknown;
  readonly sent: (body: string) => readonly string[];
  readonly env: (url: string) => Record<string, string>;
  /** The other parts of a request. */
  readonly request: {
    readonly url: string;
    readonly authorization: string | undefined;
    readonly body: unknown;
  };
}
const protocols: Readonly<Record<string, Protocol>> = {
  openai: {
    answer: (texts) => ({
      choices: [
        {
          message: {
            role: 'assistant',
            content: `\`\`\`json\n${JSON.stringify({ translations: texts })}\n\`\`\``,
          },
        },
      ],
    }),
    sent: (body) =>
      (
        JSON.parse((JSON.parse(body) as { messages: { content: string }[] }).messages[1]!.content) as {
          segments: string[];
        }
      ).segments,
    env: (url) => ({
      DOCSCTL_TRANSLATION: 'openai',
      DOCSCTL_OPENAI_URL: `${url}/v1/`,
      DOCSCTL_OPENAI_MODEL: 'tiny',
      DOCSCTL_OPENAI_KEY: key,
    }),
    request: {
      url: '/v1/chat/completions',
      authorization: `Bearer ${key}`,
      body: {
        model: 'tiny',
        response_format: { type: 'json_object' },
        messages: [
          {
            role: 'system',
            content: expect.stringMatching(
              /from English to Brazilian Portuguese[^]*2 strings[^]*- page: folha[^]*Be \*formal\*\./,
            ),
          },
          { role: 'user' },
        ],
      },
    },
  },
  deepl: {
    answer: (texts) => ({ translations: texts.map((text) => ({ detected_source_language: 'EN', text })) }),
    sent: (body) => (JSON.parse(body) as { text: string[] }).text,
    env: (url) => ({ DOCSCTL_TRANSLATION: 'deepl', DOCSCTL_DEEPL_URL: url, DOCSCTL_DEEPL_KEY: key }),
    request: {
      url: '/v2/translate',
      authorization: `DeepL-Auth-Key ${key}`,
      body: { source_lang: 'EN', target_lang: 'PT-BR', tag_handling: 'xml', preserve_formatting: true },
    },
  },
  libretranslate: {
    answer: (texts) => ({ translatedText: texts }),
    sent: (body) => (JSON.parse(body) as { q: string[] }).q,
    env: (url) => ({
      DOCSCTL_TRANSLATION: 'libretranslate',
      DOCSCTL_LIBRETRANSLATE_URL: url,
      DOCSCTL_LIBRETRANSLATE_KEY: key,
    }),
    request: {
      url: '/translate',
      authorization: undefined,
      body: { source: 'en', target: 'pb', format: 'html', api_key: key },
    },
  },
};

/** Starts a server with a protocol that translates each segment as the test says. */
async function serving(
  name: string,
  translate: (text: string) => unknown,
  broken?: (response: ServerResponse, turn: number) => boolean,
): Promise<{ server: Sink; provider: Provider }> {
  const { answer, sent, env } = protocols[name]!;
  let turn = 0;
  const server: Sink = await sink((response) => {
    if (broken?.(response, ++turn) === true) return;
    const { body } = server.seen.at(-1)!;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(sent(body).map(translate))));
  });
  return { server, provider: await openProvider(outgoing, env(server.url)) };
}

const all = async (
  provider: Provider,
  wires: readonly string[],
): Promise<Record<string, string | undefined>> => {
  const found: Record<string, string | undefined> = {};
  for await (const round of translateSegments(provider, wires, request))
    for (const [wire, answer] of round) found[wire] = answer;
  return found;
};

describe.each(Object.keys(protocols))('a service with the protocol of %s', (name) => {
  it('gets requests up to its limits of segments, characters and parallel requests', async () => {
    const limits: Readonly<
      Record<string, readonly [segments: number, characters: number, requests: number]>
    > = { openai: [40, 6000, 4], deepl: [50, 40_000, 2], libretranslate: [25, 4000, 1] };
    const [segmentsAtOnce, charactersAtOnce, requestsAtOnce] = limits[name]!;
    /** Returns the number of segments in each request. */
    const asked = async (wires: readonly string[]): Promise<number[]> => {
      const { server, provider } = await serving(name, (text) => text);
      await all(provider, wires);
      return server.seen
        .map(({ body }) => protocols[name]!.sent(body).length)
        .sort((one, other) => other - one);
    };
    const short = Array.from({ length: segmentsAtOnce + 1 }, (_, at) => `segment ${at}`);
    expect(await asked(short)).toEqual([segmentsAtOnce, 1]);
    const half = charactersAtOnce / 2;
    expect(await asked(['a'.repeat(half), 'b'.repeat(half)])).toEqual([2]);
    expect(await asked(['a'.repeat(half), 'b'.repeat(half + 1)])).toEqual([1, 1]);
    const many = Array.from({ length: 5 * segmentsAtOnce }, (_, at) => `segment ${at}`);
    const { server } = await serving(name, (text) => text);
    let [open, most] = [0, 0];
    const counting: Outgoing = (sent) => {
      most = Math.max(most, ++open);
      return outgoing(sent).finally(() => open--);
    };
    await all(await openProvider(counting, protocols[name]!.env(server.url)), many);
    expect([server.seen.length, most]).toEqual([5, requestsAtOnce]);
  });

  it('gets a batch, and returns an answer for each segment', async () => {
    const { server, provider } = await serving(name, (text) =>
      text.toUpperCase().replace(/<(.*?)>/g, (tag) => tag.toLowerCase()),
    );
    expect(await provider.translate(segments, request)).toEqual([
      'RUN <x id="1"/> &AMP; WAIT.',
      'A <g id="1">BOLD</g> WORD.',
    ]);
    const [{ method, url, headers, body }] = server.seen as [Sink['seen'][number]];
    expect(protocols[name]!.sent(body)).toEqual(segments);
    expect({
      method,
      url,
      authorization: headers.authorization,
      body: JSON.parse(body) as unknown,
    }).toMatchObject({ method: 'POST', ...protocols[name]!.request });
  });

  it('is asked once more, alone, for invalid answers, which are then skipped', async () => {
    const { server, provider } = await serving(name, (text) =>
      text.startsWith('Run') ? 'no marks' : text.startsWith('A') ? 7 : `good ${text}`,
    );
    expect(await all(provider, [...segments, 'Plain.'])).toEqual({
      [segments[0]!]: undefined,
      [segments[1]!]: undefined,
      'Plain.': 'good Plain.',
    });
    expect(server.seen.map(({ body }) => protocols[name]!.sent(body))).toEqual([
      [...segments, 'Plain.'],
      [segments[0]],
      [segments[1]],
    ]);
  });

  it.each([
    [
      'too few translations',
      '{"translations":[],"translatedText":["x"],"choices":[{"message":{"content":"{\\"translations\\":[\\"x\\"]}"}}]}',
    ],
    ['JSON in another form', '[null,{"a":1}]'],
    [
      'a value instead of a list',
      '{"translations":{"length":2},"translatedText":"x","choices":[{"message":{"content":"I cannot help with that."}}]}',
    ],
  ])('that returns %s gets each segment in a request of its own', async (_name, text) => {
    const { server, provider } = await serving(name, (given) => given, (response, turn) => turn === 1 && (response.end(text), true)); // prettier-ignore
    expect(await all(provider, segments)).toEqual(Object.fromEntries(segments.map((each) => [each, each])));
    expect(server.seen).toHaveLength(3);
  });

  it.each([
    [429, 'rate-limited', 7],
    [402, 'rate-limited', 3600],
    [456, 'rate-limited', 3600],
    [408, 'unreachable', 7],
    [503, 'unreachable', 7],
    [500, 'unreachable', 7],
    [401, 'unauthenticated', undefined],
    [403, 'unauthenticated', undefined],
    [404, 'precondition-failed', undefined],
    [400, 'precondition-failed', undefined],
    [307, 'precondition-failed', undefined],
  ])('with the status %i fails as %s', async (status, reason, retryAfter) => {
    const { provider } = await serving(name, () => '', (response) => {
      response.writeHead(status, { 'retry-after': '7', location: 'http://127.0.0.1:1/' }).end(`echo ${key}`);
      return true;
    }); // prettier-ignore
    const problem = await problemOf(provider.translate(segments, request));
    expect([problem.reason, problem.retryAfter]).toEqual([reason, retryAfter]);
    expect(JSON.stringify(problem) + problem.stack).not.toContain(key);
  });

  it.each([
    [300, /there is no such service at this address/],
    [399, /there is no such service at this address/],
    [404, /there is no such service at this address/],
    [400, /request rejected/],
    [422, /request rejected/],
    [499, /request rejected/],
    [403, /API key rejected/],
    [429, /too many requests/],
    [456, /the quota of the key is used up/],
    [599, /^[^:]+ answered 599\.$/],
  ])('with the status %i is reported with a specific message', async (status, message) => {
    const { provider } = await serving(name, () => '', (response) => (response.writeHead(status).end(), true)); // prettier-ignore
    expect((await problemOf(provider.translate(segments, request))).message).toMatch(message);
  });

  it('that returns a web page is unreachable, and an answer that is too large is ignored', async () => {
    const page = await serving(name, () => '', (response) => (response.end('<!doctype html>'), true)); // prettier-ignore
    expect((await problemOf(page.provider.translate(segments, request))).reason).toBe('unreachable');
    const flood = await serving(name, () => '', (response) => (response.end(Buffer.alloc(5 * 2 ** 20, 'x')), true)); // prettier-ignore
    expect(await flood.provider.translate(segments, request)).toEqual([]);
  });
});

describe.each(Object.keys(protocols))('a service with the protocol of %s that fails to answer', (name) => {
  it('is reported as timed out if it never answers', async () => {
    const silent = await sink(() => undefined);
    const impatient = createOutgoing({ allow: readAllowList(''), after: (_milliseconds, act) => { const soon = setImmediate(act); return () => clearImmediate(soon); } }); // prettier-ignore
    const problem = await problemOf(
      (await openProvider(impatient, protocols[name]!.env(silent.url))).translate(segments, request),
    );
    expect(problem.reason).toBe('timed-out');
    expect(problem.message + String(problem.hint)).not.toContain(key);
  });

  it('is interrupted with the run', async () => {
    const stop = new AbortController();
    const { provider } = await serving(name, () => '', () => (stop.abort(), true)); // prettier-ignore
    expect((await problemOf(provider.translate(segments, { ...request, signal: stop.signal }))).reason).toBe(
      'interrupted',
    );
  });

  it('is reported as unreachable if it closes the connection', async () => {
    const { provider } = await serving(name, () => '', (response) => (response.destroy(), true)); // prettier-ignore
    const problem = await problemOf(provider.translate(segments, request));
    expect(problem.reason).toBe('unreachable');
    expect(JSON.stringify(problem)).not.toContain(key);
  });

  it('is not followed to another address, which would get the key', async () => {
    const other = await sink();
    const { provider } = await serving(name, () => '', (response) => (response.writeHead(302, { location: `${other.url}/v1` }).end(), true)); // prettier-ignore
    expect((await problemOf(provider.translate(segments, request))).reason).toBe('precondition-failed');
    expect(other.seen).toEqual([]);
  });
});

describe('openProvider', () => {
  it('returns pseudo-localization only if it is configured', async () => {
    const provider = await openProvider(outgoing, { DOCSCTL_TRANSLATION: 'pseudo' });
    expect(await provider.translate(['Run <x id="1"/> &amp; wait.'], request)).toEqual([
      '⟦Ŕúñ <x id="1"/> &amp; ŵáíţ. ····⟧',
    ]);
  });

  it.each([
    [{}, /DOCSCTL_TRANSLATION is not set/],
    [{ DOCSCTL_TRANSLATION: '' }, /DOCSCTL_TRANSLATION is not set/],
    [{ DOCSCTL_TRANSLATION: 'google' }, /google/],
    [{ DOCSCTL_TRANSLATION: 'deepl' }, /_KEY is not set/],
    [{ DOCSCTL_TRANSLATION: 'openai' }, /_KEY is not set/],
    [{ DOCSCTL_TRANSLATION: 'libretranslate' }, /_URL is not set/],
  ])('reports what is missing in %o', async (env, message) => {
    const problem = await problemOf(openProvider(outgoing, env));
    expect([problem.reason, problem.message]).toEqual([
      Object.values(env).join('') === '' ? 'precondition-failed' : 'invalid-input',
      expect.stringMatching(message),
    ]);
    expect(problem.hint).toMatch(/DOCSCTL_/);
  });
});

describe('the key of a service', () => {
  it.each(['OPENAI', 'DEEPL', 'LIBRETRANSLATE'])(
    'for %s can end with a line break, but not contain one',
    async (name) => {
      const given = {
        DOCSCTL_TRANSLATION: name.toLowerCase(),
        DOCSCTL_LIBRETRANSLATE_URL: 'http://127.0.0.1:1',
      };
      expect(
        (await openProvider(outgoing, { ...given, [`DOCSCTL_${name}_KEY`]: `${key}\n` })).name,
      ).toContain(name.toLowerCase());
      const problem = await problemOf(
        openProvider(outgoing, { ...given, [`DOCSCTL_${name}_KEY`]: `sk-very\nsecret` }),
      );
      expect([problem.reason, problem.message]).toEqual([
        'invalid-input',
        expect.stringContaining(`DOCSCTL_${name}_KEY contains`),
      ]);
      expect(problem.message + String(problem.hint)).not.toContain('secret');
    },
  );
});

it.each([
  ['openai', true],
  ['deepl', false],
  ['libretranslate', false],
])('instructions for translations are sent to %s: %s', async (name, follows) => {
  const provider = await openProvider(outgoing, { ...protocols[name]!.env('https://example.com') });
  expect(provider.followsInstructions).toBe(follows);
});

it('openai gets 20,000 characters of the instructions, and the terms of a glossary that fit as a whole', async () => {
  const { server, provider } = await serving('openai', (text) => text);
  const promptFor = async (more: object): Promise<string> => {
    await provider.translate(segments, { ...request, ...more });
    const { body } = server.seen.at(-1)!;
    return (JSON.parse(body) as { messages: { content: string }[] }).messages[0]!.content;
  };
  // A line is 20 characters long, with its line break.
  const terms = Array.from({ length: 999 }, (_, at) => ({ source: `term ${1000 + at}`, target: 'termes' }));
  const endOf = async (target: string) =>
    (await promptFor({ terms: [...terms, { source: 'last term', target }] }))
      .split('\n\n')
      .at(-2)
      ?.slice(-20);
  expect(await endOf('mot  12')).toBe('- last term: mot  12');
  expect(await endOf('mot  123')).toBe('\n- term 1998: termes');
  for (const end of ['y', '📘'])
    expect(await promptFor({ instructions: `${'x'.repeat(20_000 - end.length + 1)}${end}` })).toMatch(
      new RegExp(`\nx{${20_000 - end.length + 1}}$`),
    );
});

describe('translateSegments', () => {
  it('sends batches within the limits, and returns finished batches before a failure', async () => {
    const batches: number[] = [];
    const provider: Provider = {
      name: 'x',
      followsInstructions: false,
      limits: { segments: 3, characters: 20, parallel: 2 },
      translate: async (each) => {
        batches.push(each.length);
        if (batches.length === 4) throw new Problem('rate-limited', 'Enough.');
        return each.map((text) => `(${text})`);
      },
    };
    const wires = ['a', 'b', 'c', 'd', 'e', 'f', 'twenty characters ok', 'g', 'h', 'x'.repeat(101)];
    const rounds: unknown[] = [];
    const work = async () => {
      for await (const round of translateSegments(provider, wires, request))
        rounds.push(round.map(([wire, answer]) => (answer === undefined ? `kept ${wire.length}` : wire)));
    };
    expect((await problemOf(work())).reason).toBe('rate-limited');
    expect(rounds).toEqual([['kept 101'], ['a', 'b', 'c', 'd', 'e', 'f'], ['twenty characters ok']]);
    expect(batches).toEqual([3, 3, 1, 2]);
  });
});
