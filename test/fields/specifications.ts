import { expect } from 'vitest';
import { runDueJobs } from '../../src/core/workers.ts';
import { updateMember } from '../../src/resources/members/contract.ts';
import type { Problem } from '../../src/errors/problem.ts';
import * as openapi from '../../src/resources/openapi/contract.ts';
import type { Who } from '../support/world.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';

const url = 'https://api.example/openapi.yaml';
const text = '{"openapi":"3.0.3","info":{"title":"Pets","version":"1"},"paths":{}}';
const at = ({ org }: Bench) => ({ ...org, specSlug: 'pets' });
const work = ({ world }: Bench) =>
  runDueJobs(world.core, { kind: 'openapi', signal: new AbortController().signal });
const listed = async ({ call, org }: Bench) => (await call(openapi.listSpecs, org)).items[0];

export const tries: readonly Try[] = [
  {
    of: 'openapi-spec-content',
    fields: ['filesystem', 'urls.source', 'urls.public'],
    run: async (bench) => {
      const { call, refusal } = bench;
      await call(openapi.createSpec, bench.org, { body: { slug: 'pets', source: { text } } });
      expect((await refusal(openapi.getLatestSpecContent, at(bench))).reason).toBe('not-found');
      await work(bench);
      const first = await call(openapi.getLatestSpecContent, at(bench));
      const { id } = await call(openapi.getLatestSpecVersion, at(bench));
      expect(first).toEqual({
        filesystem: { 'pets.json': JSON.parse(text) },
        urls: { source: expect.stringContaining(`/versions/${id}/content/download`), public: null },
      });
      await call(openapi.updateSpec, at(bench), { body: { visibility: 'public' } });
      const { urls } = await call(openapi.getSpec, at(bench));
      expect((await call(openapi.getLatestSpecContent, at(bench))).urls.public).toBe(urls.published);
      const yaml = 'openapi: 3.0.3\ninfo: {title: Cats, version: "2"}\npaths: {}\n';
      await call(openapi.replaceSpec, at(bench), { body: { source: { text: yaml } } });
      await work(bench);
      expect((await call(openapi.getLatestSpecContent, at(bench))).filesystem).toMatchObject({
        'pets.yaml': { info: { title: 'Cats' } },
      });
      const old = await call(openapi.getSpecContent, { ...at(bench), versionId: id });
      expect(old).toEqual({ ...first, urls: { ...first.urls, public: null } });
    },
  },
  {
    of: 'openapi-spec-text',
    fields: ['text', 'format'],
    run: async (bench) => {
      const { call } = bench;
      await call(openapi.createSpec, bench.org, { body: { slug: 'pets', source: { text } } });
      await work(bench);
      expect(await call(openapi.getLatestSpecText, at(bench))).toEqual({ text, format: 'json' });
      const yaml = 'openapi: 3.0.3\ninfo: {title: Cats, version: "2"}\npaths: {}\n';
      await call(openapi.replaceSpec, at(bench), { body: { source: { text: yaml } } });
      await work(bench);
      expect(await call(openapi.getLatestSpecText, at(bench))).toEqual({ text: yaml, format: 'yaml' });
    },
  },
  {
    of: 'openapi-spec',
    fields: [
      'sourceURL',
      'processingState',
      'lastProcessedAt',
      'lastProcessErrorCode',
      'lastProcessedErrors.code',
      'lastProcessedErrors.message',
      'lastVersion',
      'updatedAt',
      'visibility',
      'urls.published',
    ],
    outside: () => ({
      outgoing: async (request) => ({
        status: request.url === url ? 404 : 500,
        headers: {},
        bytes: Buffer.from('none'),
        url: request.url,
      }),
    }),
    run: async (bench) => {
      const { call, world } = bench;
      const { id } = await call(openapi.createSpec, bench.org, { body: { slug: 'pets', source: { url } } });
      const pending = await listed(bench);
      expect(pending).toMatchObject({ sourceURL: url, processingState: 'pending', visibility: 'private' });
      expect(pending).not.toHaveProperty('lastProcessedAt');
      await work(bench);
      const failed = await listed(bench);
      expect(failed).toMatchObject({
        processingState: 'complete',
        lastProcessedAt: expect.any(String),
        lastProcessErrorCode: 'FETCH_ERROR',
        lastProcessedErrors: [{ code: 'HTTP_404', message: 'The server answered 404.' }],
      });
      expect(failed).not.toHaveProperty('lastVersion');
      expect((await call(openapi.listSpecVersions, at(bench))).items).toEqual([]);
      await call(openapi.replaceSpec, at(bench), { body: { source: { text } } });
      const given = await listed(bench);
      expect(given).not.toHaveProperty('sourceURL');
      expect(given?.processingState).toBe('pending');
      expect((given?.updatedAt ?? '') > (failed?.updatedAt ?? '')).toBe(true);
      await work(bench);
      const done = await listed(bench);
      const [version] = (await call(openapi.listSpecVersions, at(bench))).items;
      expect([done?.lastVersion, version?.title]).toEqual([version?.id, 'Pets']);
      expect((done?.lastProcessedAt ?? '') > (failed?.lastProcessedAt ?? '')).toBe(true);
      expect(done).not.toHaveProperty('lastProcessErrorCode');
      expect(done).not.toHaveProperty('lastProcessedErrors');
      expect(done?.urls).not.toHaveProperty('published');
      const open = () =>
        world
          .as('nobody')
          .call(openapi.getPublishedSpec, { params: { specId: id } })
          .then(
            ({ name }) => name,
            ({ reason }: Problem) => reason,
          );
      expect(await open()).toBe('not-found');
      await call(openapi.updateSpec, at(bench), { body: { visibility: 'public' } });
      expect(await listed(bench)).toMatchObject({
        visibility: 'public',
        urls: { published: expect.stringMatching(new RegExp(`/v1/openapi/${id}$`)) },
      });
      expect(await open()).toBe('pets.json');
      await call(openapi.updateSpec, at(bench), { body: { visibility: 'private' } });
      expect(await open()).toBe('not-found');
    },
  },
  {
    of: 'openapi-spec',
    fields: ['permissions.edit'],
    run: async (bench) => {
      const { call } = bench;
      await call(openapi.createSpec, bench.org, { body: { slug: 'pets', source: { text } } });
      const may = async (who: Who) =>
        (await call(openapi.listSpecs, bench.org, {}, who)).items[0]?.permissions.edit;
      const attempt = (who: Who) =>
        bench.reason(openapi.updateSpec, at(bench), { body: { visibility: 'public' } }, who);
      await permissionIsKept(roles.slice(0, -1), may, attempt);
      await call(updateMember, { ...bench.org, userId: 'usr_read' }, { body: { role: 'create' } });
      expect([await may('read'), await attempt('read')]).toEqual([true, 'done']);
    },
  },
];
