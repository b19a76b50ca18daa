import { beforeAll, describe, expect, it } from 'vitest';
import { createSiteRedirect } from '../../src/resources/site-redirects/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
const base = '/sites/acme/docs/';

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly tools: readonly {
    readonly name: string;
    readonly annotations: { readonly readOnlyHint: boolean };
  }[];
}
type Headers = Readonly<Record<string, string>>;
const post = (message: unknown, headers: Headers = {}, path = '~gitbook/mcp') =>
  site.server.inject({
    method: 'POST',
    url: base + path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    payload: typeof message === 'string' ? message : JSON.stringify(message),
  });
const ask = async (method: string, params: object = {}, headers: Headers = {}) => {
  const answer = await post({ jsonrpc: '2.0', id: 7, method, params }, headers);
  expect([method, answer.statusCode, answer.headers['content-type']]).toEqual([
    method,
    200,
    'application/json',
  ]);
  return answer.json<{ id: number; result: Result; error?: { code: number; message: string } }>();
};
const use = async (name: string, input: object): Promise<{ texts: string[]; isError: boolean }> => {
  const { result } = await ask('tools/call', { name, arguments: input });
  return {
    texts: result.content.map(({ text }) => text),
    isError: result.isError === true,
  };
};

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Welcome', text: 'The first page.' },
    { title: 'Setup', text: '## Install\n\nRun the zebra.', description: 'How to begin' },
    { title: 'Corner', text: 'A hidden zebra.', hidden: true },
  ]);
});

describe('the MCP server of a site', () => {
  it('answers clients of protocols before 2026, without a session', async () => {
    const answer = await post({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(answer.json()).toMatchObject({
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'Docs' }, capabilities: { tools: {} } },
    });
    const noted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([noted.statusCode, noted.body]).toEqual([202, '']);
  });

  it('answers clients of the protocol of 2026', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const { result } = await ask(
      'tools/list',
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
      headers,
    );
    expect(result.tools).toHaveLength(2);
  });

  it('has two read-only tools', async () => {
    const { result } = await ask('tools/list');
    expect(result.tools.map(({ name }) => name)).toEqual(['searchDocumentation', 'getPage']);
    for (const { annotations } of result.tools) expect(annotations.readOnlyHint).toBe(true);
  });

  it('searches listed pages', async () => {
    const { texts } = await use('searchDocumentation', { query: 'zebra' });
    expect(texts).toEqual([
      'Title: Setup › Install\nLink: https://docs.test/sites/acme/docs/setup#install\nContent: Run the zebra.',
    ]);
    expect((await use('searchDocumentation', { query: 'giraffe' })).texts).toEqual([
      'No page has these words.',
    ]);
  });

  it('reads a page by its URL or path', async () => {
    const markdown = (await site.visit('setup.md')).body;
    for (const url of [
      'https://docs.test/sites/acme/docs/setup',
      'https://docs.test/sites/acme/docs/setup.md#install',
      `${base}setup`,
      '/setup',
      'Setup',
    ])
      expect([url, await use('getPage', { url })]).toEqual([url, { texts: [markdown], isError: false }]);
    expect((await use('getPage', { url: base })).texts[0]).toContain('The first page.');
    for (const url of ['https://evil.test/setup', 'gone', '%ff', '/sites/acme/other/setup', 'https://'])
      expect([url, await use('getPage', { url })]).toEqual([
        url,
        { texts: [`This site has no page at "${url}".`], isError: true },
      ]);
  });

  it('reports invalid messages', async () => {
    expect((await post('{"jsonrpc":')).statusCode).toBe(400);
    expect((await post(`[${'['.repeat(100)}`)).statusCode).toBe(400);
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'tools/call' })).json()).toMatchObject({
      error: { code: -32602 },
    });
    const { result } = await ask('tools/call', { name: 'searchDocumentation', arguments: { query: 5 } });
    expect(result.isError).toBe(true);
    expect((await ask('nothing')).error?.code).toBe(-32601);
    expect((await post('x'.repeat(70_000))).statusCode).toBe(413);
  });

  it('opens no event stream', async () => {
    const got = await site.visit('~gitbook/mcp', { accept: 'text/event-stream' });
    expect([got.statusCode, got.headers.allow]).toEqual([405, 'POST']);
    expect(got.body).toBe('This method is not allowed here. Allowed: POST.\n');
    const listened = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(listened.json()).toMatchObject({ error: {} });
  });

  it('refuses requests from pages of other sites, and is closed if the site excludes agents', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:80' },
    ])
      expect([headers, (await post(list, headers)).statusCode]).toEqual([headers, 403]);
    expect((await post(list, { origin: 'http://localhost:80' })).statusCode).toBe(200);
    await site.call(updateSite, site.site, { body: { agentsContext: 'excluded' } });
    expect((await post(list)).statusCode).toBe(404);
    expect((await site.visit('~gitbook/site-index')).statusCode).toBe(404);
    await site.call(updateSite, site.site, { body: { agentsContext: 'included' } });
  });
});

it('only addresses that take data allow POST; pages allow only GET and HEAD', async () => {
  const answer = await post({}, {}, 'setup');
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  for (const [path, allow] of [
    ['setup', 'GET, HEAD'],
    ['nothing?a=1', 'GET, HEAD'],
    ['~gitbook/mcp?a=1', 'POST'],
  ])
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const refused = await site.server.inject({ method, url: `/sites/acme/docs/${path}` });
      expect([method, path, refused.statusCode, refused.headers.allow]).toEqual([method, path, 405, allow]);
    }
});

it('the index of a site lists its pages with their breadcrumbs', async () => {
  const { pages } = (await site.visit('~gitbook/site-index')).json<{ pages: object[] }>();
  expect(pages).toEqual([
    expect.objectContaining({ title: 'Welcome', path: base, breadcrumbs: [] }),
    expect.objectContaining({
      id: site.pages.get('Setup'),
      title: 'Setup',
      path: `${base}setup`,
      url: `https://docs.test${base}setup`,
      description: 'How to begin',
    }),
  ]);
});

it('getPage reads the home page by each of its addresses, the first page of a group, and a page behind a redirect', async () => {
  const first = (await site.visit('index.md')).body;
  for (const url of ['index.md', `https://docs.test${base}index.md`, base.slice(0, -1)])
    expect([url, (await use('getPage', { url })).texts]).toEqual([url, [first]]);
  const setup = (await site.visit('setup.md')).body;
  const redirect = (source: string, url: string) =>
    site.call(createSiteRedirect, site.site, { body: { source, destination: { kind: 'external', url } } });
  await redirect('/old', `https://docs.test${base}older`);
  await redirect('/older', `https://docs.test${base}setup`);
  await redirect('/away', 'https://example.com/');
  await site.change(site.spaceId, [
    { operation: 'insert_page', title: 'Part', type: 'group', ref: 'part', document: {} },
    { operation: 'insert_page', title: 'Inner', into: 'part', document: { markdown: 'In a group.' } },
  ]);
  expect((await use('getPage', { url: '/part' })).texts).toEqual(['# Inner\n\nIn a group.\n']);
  for (const url of ['/old', `${base}old`, 'guide/setup'])
    expect([url, (await use('getPage', { url })).texts]).toEqual([url, [setup]]);
  expect(await use('getPage', { url: '/away' })).toEqual({
    texts: ['This site has no page at "https://example.com/".'],
    isError: true,
  });
});
