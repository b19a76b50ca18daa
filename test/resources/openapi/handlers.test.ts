import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import type { FileAnswer } from '../../../src/contract/file.ts';
import type { Outgoing } from '../../../src/core/outgoing.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { Problem } from '../../../src/errors/problem.ts';
import {
  createSpec,
  deleteSpec,
  downloadSpec,
  getPublishedSpec,
  getSpec,
  getSpecVersion,
  listSpecs,
  listSpecVersions,
  refreshSpec,
  replaceSpec,
  updateSpec,
} from '../../../src/resources/openapi/contract.ts';
import { createWorld, type World } from '../../support/world.ts';

const petshop = readFileSync(
  fileURLToPath(new URL('../../samples/openapi/petshop.yaml', import.meta.url)),
  'utf8',
);
const url = 'https://api.example/openapi.yaml';
const { signal } = new AbortController();
const work = ({ core }: World) => runDueJobs(core, { signal });

let world: World;
afterEach(() => world.core.store.close());

/** A network in which every request gets the answer of the test. */
function network(answer: () => { status?: number; text?: string }): Outgoing & { asked: number } {
  const outgoing = Object.assign(
    async (request: { url: string }) => {
      outgoing.asked++;
      const { status = 200, text = '' } = answer();
      return { status, headers: {}, bytes: Buffer.from(text), url: request.url };
    },
    { asked: 0 },
  );
  return outgoing;
}

const params = (specSlug = 'pets') => ({ organizationId: world.org, specSlug });

describe('OpenAPI specifications', { timeout: 60_000 }, () => {
  it('from a text are pending until they are processed and stored as a version', async () => {
    world = await createWorld();
    const api = world.as('admin');
    const pending = await api.call(createSpec, {
      params: params(),
      body: { slug: 'pets', source: { text: petshop } },
    });
    expect(pending).toMatchObject({ slug: 'pets', processingState: 'pending', visibility: 'private' });
    expect(pending).not.toHaveProperty('lastVersion');
    await work(world);
    const spec = await api.call(getSpec, { params: params() });
    expect(spec).toMatchObject({ processingState: 'complete', permissions: { view: true, edit: true } });
    expect(violationsOf(getSpec.returns.schema, spec, '')).toEqual([]);
    const version = await api.call(getSpecVersion, { params: { ...params(), versionId: 'latest' } });
    expect(version).toMatchObject({
      id: spec.lastVersion,
      title: 'Pet shop',
      version: '1.2.0',
      format: '3.1.0',
      operations: 3,
      webhooks: 0,
      bytes: Buffer.byteLength(petshop),
    });
    const file: FileAnswer = await api.call(downloadSpec, {
      params: { ...params(), versionId: 'latest' },
    });
    expect({ name: file.name, type: file.contentType, text: Buffer.from(file.bytes).toString() }).toEqual({
      name: 'pets.yaml',
      type: 'application/yaml',
      text: petshop,
    });
  });

  it('are downloaded as JSON only if they are valid JSON', async () => {
    world = await createWorld();
    const api = world.as('admin');
    const text = '{ "openapi": "3.0.3", "info": { "title": "A", "version": "1", }, "paths": {} }';
    for (const [one, name] of [
      [text, 'pets.yaml'],
      [text.replace(', }', ' }'), 'pets.json'],
    ] as const) {
      // prettier-ignore
      await api.call(replaceSpec, { params: params(), body: { source: { text: one } } });
      await work(world);
      expect(await api.call(downloadSpec, { params: { ...params(), versionId: 'latest' } })).toMatchObject({
        name,
      });
    }
  });

  it('with errors list each error with its position, and keep the last valid version', async () => {
    world = await createWorld();
    const api = world.as('admin');
    await api.call(replaceSpec, { params: params(), body: { source: { text: petshop } } });
    await work(world);
    const { lastVersion } = await api.call(getSpec, { params: params() });
    await api.call(replaceSpec, {
      params: params(),
      body: { source: { text: 'openapi: 3.1.0\n\tinfo: 1' } },
    });
    await work(world);
    const spec = await api.call(getSpec, { params: params() });
    expect(spec).toMatchObject({
      processingState: 'complete',
      lastVersion,
      lastProcessErrorCode: 'PARSE_ERROR',
    });
    expect(spec.lastProcessedErrors).toEqual([
      {
        code: 'PARSE_ERROR',
        message: 'line 2, column 1: this line is indented with a tab; YAML allows only spaces',
      },
    ]);
    await api.call(replaceSpec, { params: params(), body: { source: { text: petshop } } });
    await work(world);
    const mended = await api.call(getSpec, { params: params() });
    expect(mended.lastVersion).toBe(lastVersion);
    expect(mended).not.toHaveProperty('lastProcessErrorCode');
    expect((await api.call(listSpecVersions, { params: params() })).count).toBe(1);
  });

  it('whose job failed too often report that it gave up', async () => {
    world = await createWorld();
    const api = world.as('admin');
    await api.call(createSpec, { params: params(), body: { slug: 'pets', source: { text: petshop } } });
    await world.core.store.write(async (tx) => {
      for (const { id } of await tx.find(jobs, { index: 'byOrganization', equals: [world.org], limit: 9 }))
        await tx.update(jobs, id, { attempts: 99 });
    });
    await work(world);
    expect(await api.call(getSpec, { params: params() })).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ message: expect.stringContaining('Gave up') }],
    });
  });

  it('whose version is an object report an unsupported version, not an internal error', async () => {
    world = await createWorld();
    const api = world.as('admin');
    await api.call(createSpec, {
      params: params(),
      body: { slug: 'pets', source: { text: '{"openapi":[{"toString":1}]}' } },
    });
    await work(world);
    const spec = await api.call(getSpec, { params: params() });
    expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' });
    expect(spec.lastProcessedErrors).toEqual([
      {
        code: 'UNSUPPORTED_VERSION',
        message: expect.stringContaining('openapi [{"toString":1}] is not supported'),
      },
    ]);
  });

  it('with many nested references are published, with a code and a path for each error', async () => {
    world = await createWorld();
    const api = world.as('admin');
    const schemas: Record<string, object> = { S17: { type: 'string' }, Z: { type: 'nonsense' } };
    for (let index = 0; index < 17; index++)
      schemas[`S${index}`] = {
        properties: Object.fromEntries(
          ['a', 'b'].map((key) => [key, { $ref: `#/components/schemas/S${index + 1}` }]),
        ),
      };
    const text = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'A', version: '1' },
      paths: {},
      components: { schemas },
    });
    await api.call(createSpec, { params: params(), body: { slug: 'pets', source: { text } } });
    await work(world);
    const spec = await api.call(getSpec, { params: params() });
    expect(spec).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) });
    expect(spec).not.toHaveProperty('lastProcessErrorCode');
    expect(spec.lastProcessedErrors).toEqual([
      { code: 'SCHEMA_INVALID', message: expect.stringContaining('(/components/schemas/Z/type)') },
    ]);
  });

  it('cannot be created with an invalid slug', async () => {
    world = await createWorld();
    for (const specSlug of ['Bad Slug!', 'a--b', '-', 'x'.repeat(101)])
      await expect(
        world
          .as('admin')
          .call(replaceSpec, { params: { ...params(), specSlug }, body: { source: { text: petshop } } }),
      ).rejects.toMatchObject({
        reason: 'invalid-input',
      });
  });

  it('are refused from private addresses', async () => {
    world = await createWorld();
    const api = world.as('admin');
    const source = { url: 'http://10.0.0.1/openapi.yaml' };
    await expect(
      api.call(createSpec, { params: params(), body: { slug: 'pets', source } }),
    ).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(api.call(replaceSpec, { params: params(), body: { source } })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    expect((await api.call(listSpecs, { params: params() })).items).toEqual([]);
  });

  it('from a URL are fetched again on request and on schedule; equal content adds no version', async () => {
    let text = petshop;
    const outgoing = network(() => ({ text }));
    world = await createWorld('memory:', { outgoing });
    const api = world.as('admin');
    await api.call(createSpec, { params: params(), body: { slug: 'pets', source: { url } } });
    await work(world);
    expect(outgoing.asked).toBe(1);
    await work(world);
    expect(outgoing.asked).toBe(1);
    world.pass(6 * 3_600_000);
    await work(world);
    expect(outgoing.asked).toBe(2);
    text = petshop.replace('1.2.0', '1.3.0');
    expect(await api.call(refreshSpec, { params: params() })).toMatchObject({ processingState: 'pending' });
    await work(world);
    expect(
      (await api.call(listSpecVersions, { params: params() })).items.map(({ version }) => version),
    ).toEqual(['1.3.0', '1.2.0']);
  });

  it.each(['ftp://api.example/pets.yaml', 'file:///etc/passwd', 'mailto:a@b.example'])(
    'are refused from the invalid address %s',
    async (address) => {
      world = await createWorld();
      const body = { slug: 'pets', source: { url: address } };
      await expect(world.as('admin').call(createSpec, { params: params(), body })).rejects.toMatchObject({
        reason: 'invalid-input',
        hint: 'Use an address that starts with https://, or send the text of the specification.',
        violations: [{ path: '/body/source/url' }],
      });
    },
  );

  it.each([
    ['does not answer in time', 'FETCH_TIMEOUT', () => Promise.reject(new Problem('timed-out', 'Too slow.'))],
    [
      'may not be reached',
      'FETCH_ERROR',
      () => Promise.reject(new Problem('forbidden', 'A private address.')),
    ],
    ['does not exist', 'FETCH_ERROR', network(() => ({ status: 404, text: 'secret of an inner server' }))],
    ['is a web page', 'PARSE_ERROR', network(() => ({ text: '<!doctype html>' }))],
  ] satisfies [string, string, Outgoing][])(
    'whose address %s have the error %s',
    async (_name, code, outgoing) => {
      world = await createWorld('memory:', { outgoing });
      const api = world.as('admin');
      await api.call(createSpec, { params: params(), body: { slug: 'pets', source: { url } } });
      await work(world);
      const spec = await api.call(getSpec, { params: params() });
      expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: code });
      expect(JSON.stringify(spec)).not.toContain('secret');
      expect(violationsOf(getSpec.returns.schema, spec, '')).toEqual([]);
    },
  );

  it('with a new source during processing end with the new source', async () => {
    const outgoing: Outgoing & { done?: boolean } = async (request) => {
      if (outgoing.done !== true)
        await world.as('admin').call(replaceSpec, {
          params: params(),
          body: { source: { text: petshop.replace('Pet shop', 'Newer') } },
        });
      outgoing.done = true;
      return { status: 200, headers: {}, bytes: Buffer.from(petshop), url: request.url };
    };
    world = await createWorld('memory:', { outgoing });
    const api = world.as('admin');
    await api.call(createSpec, { params: params(), body: { slug: 'pets', source: { url } } });
    await work(world);
    expect((await api.call(listSpecVersions, { params: params() })).items.map(({ title }) => title)).toEqual([
      'Newer',
    ]);
    expect(await api.call(getSpec, { params: params() })).not.toHaveProperty('sourceURL');
  });

  it('are readable without a token only if they are public', async () => {
    world = await createWorld();
    const api = world.as('admin');
    const { id } = await api.call(createSpec, {
      params: params(),
      body: { slug: 'pets', source: { text: petshop } },
    });
    await api.call(updateSpec, { params: params(), body: { visibility: 'public' } });
    const read = () => world.as('nobody').call(getPublishedSpec, { params: { specId: id } });
    await expect(read()).rejects.toMatchObject({
      reason: 'not-found',
      message: 'The specification pets has no version yet.',
    });
    await work(world);
    await api.call(updateSpec, { params: params(), body: { visibility: 'private' } });
    await expect(read()).rejects.toMatchObject({
      reason: 'not-found',
      message: `There is no public OpenAPI specification "${id}".`,
    });
    const spec = await api.call(updateSpec, { params: params(), body: { visibility: 'public' } });
    expect(spec.urls.published).toBe(`http://localhost:8080/v1/openapi/${id}`);
    const published: FileAnswer = await read();
    expect(published.name).toBe('pets.yaml');
  });

  it('have a unique slug, are listed by it, and are deleted with all versions', async () => {
    world = await createWorld();
    const api = world.as('admin');
    for (const slug of ['b', 'a'])
      await api.call(createSpec, { params: params(), body: { slug, source: { text: petshop } } });
    await expect(
      api.call(createSpec, { params: params(), body: { slug: 'a', source: { text: petshop } } }),
    ).rejects.toMatchObject({ reason: 'conflict' });
    expect((await api.call(listSpecs, { params: params() })).items.map(({ slug }) => slug)).toEqual([
      'a',
      'b',
    ]);
    await api.call(deleteSpec, { params: params('a') });
    await work(world);
    await expect(api.call(getSpec, { params: params('a') })).rejects.toMatchObject({ reason: 'not-found' });
    await expect(api.call(deleteSpec, { params: params('a') })).rejects.toMatchObject({
      reason: 'not-found',
    });
    await expect(world.as('outsider').call(getSpec, { params: params('b') })).rejects.toMatchObject({
      reason: 'not-found',
    });
    await expect(
      world.as('read').call(replaceSpec, { params: params('b'), body: { source: { text: petshop } } }),
    ).rejects.toMatchObject({ reason: 'forbidden' });
    await expect(api.call(refreshSpec, { params: params('nope') })).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});
