import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSession, explainError } from '../../../src/cli/session/session.ts';
import { findMalformedAnswer } from '../../../src/cli/session/find-malformed-answer.ts';
import { keepServerAnswers } from '../../../src/cli/session/server-answers.ts';
import type { Api } from '../../../src/contract/api.ts';
import { runtimeOf } from '../../support/cli.ts';
import { farServer, getThing, listThings, thing } from '../../client/far-server.ts';
import { openGuideServer, page, type GuideStore } from '../guide-store.ts';

/** Starts a proxy for GET requests that changes the response of one path, or returns nothing there. */
async function serverWith(url: string, path: RegExp, change: Readonly<Record<string, unknown>> | undefined) {
  const answer = async (response: ServerResponse, request: IncomingMessage): Promise<void> => {
    const { authorization = '' } = request.headers;
    const body: unknown = await (await fetch(`${url}${request.url}`, { headers: { authorization } })).json();
    const changed = change && { ...(body as object), ...change };
    const sent = path.test(request.url ?? '') ? changed : body;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent));
  };
  return (await farServer((response, request) => void answer(response, request))).url;
}

describe('a command with a server that returns malformed responses', () => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openGuideServer();
    await desk.publish(page('Start', 'Begin here.'));
  });
  afterEach(() => desk.discard());
  const serverOf = (path: RegExp, change: Readonly<Record<string, unknown>> | undefined) =>
    serverWith(desk.options.env!['DOCSCTL_SERVER']!, path, change);

  it('names the operation whose response made it fail, and the first mistake in the response', async () => {
    const url = await serverOf(/content\/pages/, { pages: 'none' });
    const { exit, stderr } = await desk.run(['pages', 'list', 'Guide', '--server', url]);
    expect(stderr).toBe(
      `error: The answer of ${url} to GET /spaces/:spaceId/content/pages (spaces.pages.list) does not have the expected form: pages must be an array.\n` +
        'hint: Check that this is the address of a docsctl server. If it is, compare its version, which /openapi.json on the server shows, with `docsctl --version`.\n',
    );
    expect(exit).toBe(69);
  });

  it('works if the responses have unknown fields', async () => {
    const url = await serverOf(/content\/pages/, { newer: true });
    expect(await desk.run(['pages', 'list', 'Guide', '--server', url])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Start'),
    });
  });

  it.each([
    ['nothing', undefined, 'it must be an object'],
    ['a user without a name', { displayName: null }, 'displayName must be a string'],
  ])('reports a failed check in doctor: %s', async (_, change, fault) => {
    const url = await serverOf(/\/v1\/user$/, change);
    const { exit, stdout, stderr } = await desk.run(['doctor', '--server', url, '-o', 'json']);
    expect([exit, stderr]).toEqual([69, '']);
    expect(JSON.parse(stdout).items).toContainEqual({
      id: 'server',
      ok: false,
      found: expect.stringContaining(
        `to GET /user (users.me) does not have the expected form: ${fault}. Check that`,
      ),
    });
  });
});

describe('an internal error', () => {
  const bug = new TypeError('x is undefined');
  const answers = (value: unknown, api: Partial<Api> = {}) => {
    const kept = keepServerAnswers();
    const call = (() => Promise.resolve(value)) as Api['call'];
    return { ...kept, api: kept.keep({ place: 'https://a.test', call, close: async () => {}, ...api }) };
  };

  it('is reported as a bug if no server responded', async () => {
    const { runtime } = runtimeOf([], { home: '/nowhere' });
    expect(await explainError(createSession(runtime, {}), bug)).toBe(bug);
  });

  it('is reported as a bug if all responses have the expected form', async () => {
    const { api, all } = answers({ id: 't_1', newer: 1 });
    await api.call(getThing, thing);
    expect(all()).toHaveLength(1);
    expect(findMalformedAnswer(all(), bug)).toBeUndefined();
  });

  it('is reported as a bug on an embedded store', async () => {
    const { api, all } = answers({}, { work: async () => {} });
    await api.call(getThing, thing);
    expect(all()).toEqual([]);
  });

  it('is attributed to the newest malformed response', async () => {
    const { api, all } = answers(undefined);
    await api.call(getThing, thing);
    await api.call(listThings, { params: { organizationId: 'org_1' } });
    const problem = findMalformedAnswer(all(), bug);
    expect(problem).toMatchObject({ reason: 'unreachable', cause: bug });
    expect(problem?.message).toBe(
      'The answer of https://a.test to GET /orgs/:organizationId/things (things.list) does not have the expected form: it must be an object.',
    );
  });

  it('can be attributed to an older response that is still in use', async () => {
    const broken = { id: 5 };
    const values: unknown[] = [broken, ...Array.from({ length: 100 }, () => ({ id: 't_1' }))];
    const kept = keepServerAnswers();
    const call = (() => Promise.resolve(values.shift())) as Api['call'];
    const api = kept.keep({ place: 'https://a.test', call, close: async () => {} });
    while (values.length > 0) await api.call(getThing, thing);
    expect(findMalformedAnswer(kept.all(), bug)?.message).toContain('id must be a string');
    expect(broken).toEqual({ id: 5 });
  });
});
