import { describe, expect, it } from 'vitest';
import { createOutgoing, readAllowList } from '../../src/client/outgoing.ts';
import { openEmbeddings } from '../../src/translation/providers/embeddings.ts';
import { problemOf, sink } from '../client/outgoing-support.ts';

const outgoing = createOutgoing({ allow: readAllowList('') });
const key = 'sk-very-secret';

async function serving(answer: unknown, status = 200) {
  const server = await sink((response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const service = openEmbeddings(outgoing, {
    DOCSCTL_OPENAI_URL: `${server.url}/v1/`,
    DOCSCTL_OPENAI_EMBEDDING_MODEL: 'tiny',
    DOCSCTL_OPENAI_KEY: key,
  });
  return { server, embed: () => service.embed(['one', 'two'], undefined) };
}

describe('an embedding model', () => {
  it('gets texts and returns vectors in the order of the texts', async () => {
    const { server, embed } = await serving({
      data: [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: [1, 2] },
      ],
    });
    expect(await embed()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(
      server.seen.map(({ method, url, headers, body }) => [
        method,
        url,
        headers.authorization,
        JSON.parse(body),
      ]),
    ).toEqual([['POST', '/v1/embeddings', `Bearer ${key}`, { model: 'tiny', input: ['one', 'two'] }]]);
  });

  it('can omit the index of the vectors', async () => {
    const { embed } = await serving({ data: [{ embedding: [1] }, { embedding: [2] }] });
    expect(await embed()).toEqual([[1], [2]]);
  });

  it.each([
    null,
    {},
    { data: [] },
    { data: [{ embedding: [1] }] },
    { data: [{ embedding: [1] }, { embedding: [1, 2] }] },
    { data: [{ embedding: [1] }, { embedding: [] }] },
    { data: [{ embedding: [1] }, { embedding: [null] }] },
    { data: [{ embedding: [1] }, { embedding: 'AAAA' }] },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [2] },
      ],
    },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 2, embedding: [2] },
      ],
    },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: '1', embedding: [2] },
      ],
    },
  ])('with the answer %j is reported as unreachable', async (answer) => {
    const { embed } = await serving(answer);
    expect(await problemOf(embed())).toMatchObject({
      reason: 'unreachable',
      message: 'The embedding model did not answer with a vector for each text.',
    });
  });

  it.each([
    [401, 'unauthenticated'],
    [404, 'precondition-failed'],
    [429, 'rate-limited'],
    [500, 'unreachable'],
  ])('with the status %i is reported without the key', async (status, reason) => {
    const { embed } = await serving({ error: key }, status);
    const problem = await problemOf(embed());
    expect([problem.reason, JSON.stringify(problem) + problem.message]).toEqual([
      reason,
      expect.not.stringContaining(key),
    ]);
  });

  it('requires a URL or a key', () => {
    expect(() => openEmbeddings(outgoing, {})).toThrow('DOCSCTL_OPENAI_KEY is not set.');
  });
});
