import { expect, it } from 'vitest';
import { createOutgoing, readAllowList } from '../../src/client/outgoing.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { createSpec, getSpec, listSpecVersions, replaceSpec } from '../../src/resources/openapi/contract.ts';
import { sink } from '../client/outgoing-support.ts';
import { createWorld } from '../support/world.ts';

const head = 'openapi: 3.1.0\ninfo: { title: A, version: "1" }\n';
const good = `${head}paths: { /a: {} }\n`;
const laughs = Array.from(
  { length: 12 },
  (_, at) =>
    `a${at}: &a${at} [${
      at === 0
        ? '1'
        : Array(10)
            .fill(`*a${at - 1}`)
            .join(',')
    }]`,
).join('\n');

/** Texts that can crash a program that reads them without limits. */
const hostile: Readonly<Record<string, string>> = {
  'lists that lie deep': '['.repeat(100_000),
  'lists that lie deep, in YAML': `${head}paths: ${'['.repeat(5_000)}`,
  'maps that lie deep': '{"a":'.repeat(50_000),
  'blocks that lie deep': Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
  'deep in quotes': `${head}x: "${'['.repeat(1_000)}"\npaths: ${'{a: '.repeat(2_000)}`,
  'aliases of aliases': `${head}${laughs}\npaths: { /a: {} }\n`,
  'an alias of itself': `${head}paths: &p { /a: *p }\n`,
  'a hundred thousand keys': `${head}paths: { /a: {} }\n${Array.from({ length: 100_000 }, (_, at) => `x-${at}: 1`).join('\n')}\n`,
  'keys that come again': `${head}paths: { /a: {} }\n${'paths: { /a: {} }\n'.repeat(2_000)}`,
  'two documents': `${good}---\n${'['.repeat(2_000)}`,
  'a tag that runs code': `${head}paths: !!js/function "function(){ process.exit(1) }"\n`,
  'a prototype':
    '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/a":{}},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  'a ref to itself': `${head}paths: { /a: { $ref: "#/paths/~1a" } }\n`,
  'a ref to a file': `${head}paths: { /a: { $ref: "file:///etc/passwd" } }\n`,
  'a ref to an address inside': `${head}paths: { /a: { $ref: "INNER/canary" } }\n`,
  'no text at all': '',
  'bytes that are no text': '\u0000\u0001\ud800',
  'a web page': '<!doctype html><script>process.exit(1)</script>',
  'an answer too large': `${good}x-a: ${'a'.repeat(11 * 2 ** 20)}`,
};

it(
  'hostile specifications stay within the limits, and the server continues to work',
  { timeout: 300_000 },
  async () => {
    const inner = await sink();
    let text = '';
    const server = await sink((response) => void response.end(text));
    const allow = `127.0.0.1:${server.port}`;
    const outgoing = createOutgoing({ allow: readAllowList(allow) });
    const world = await createWorld('memory:', { outgoing, env: { DOCSCTL_ALLOW_PRIVATE: allow } });
    const api = world.as('admin');
    const source = { url: `${server.url}/openapi.yaml` };
    const params = { organizationId: world.org, specSlug: 'hostile' };
    const processed = async () => {
      await runDueJobs(world.core, { signal: new AbortController().signal });
      return api.call(getSpec, { params });
    };
    text = good;
    await api.call(createSpec, { params: { organizationId: world.org }, body: { slug: 'hostile', source } });
    expect((await processed()).lastProcessErrorCode).toBeUndefined();
    const outcomes: Record<string, unknown> = {};
    for (const turn of [1, 2]) {
      // Deeply nested texts are read twice, because the second read crashed processes in the past.
      for (const [name, given] of Object.entries(hostile).filter(
        ([one]) => turn === 1 || one.includes('deep'),
      )) {
        text = given.replace('INNER', inner.url);
        await api.call(replaceSpec, { params, body: { source } });
        const { processingState, lastProcessErrorCode } = await processed();
        outcomes[`${name} ${turn}`] =
          processingState === 'complete' ? (lastProcessErrorCode ?? 'taken') : processingState;
      }
    }
    // These are valid: a reference to itself is allowed, and so are keys such as __proto__.
    expect(Object.keys(outcomes).filter((name) => outcomes[name] === 'taken')).toEqual([
      'a prototype 1',
      'a ref to itself 1',
    ]);
    expect(Object.values(outcomes)).not.toContain('pending');
    expect([inner.connections().made, ({} as { polluted?: boolean }).polluted]).toEqual([0, undefined]);
    // Earlier versions are kept, and the next valid specification is accepted.
    expect((await api.call(listSpecVersions, { params })).items.length).toBeGreaterThanOrEqual(1);
    text = good.replace('"1"', '"2"');
    await api.call(replaceSpec, { params, body: { source } });
    expect((await processed()).lastProcessErrorCode).toBeUndefined();
    expect((await api.call(listSpecVersions, { params })).items[0]!.version).toBe('2');
    await world.core.store.close();
  },
);
