import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeComment {
  readonly id: number;
  body: string;
  readonly author: string;
}

export interface FakeHost {
  readonly url: string;
  readonly comments: FakeComment[];
  /** Method and path of every request. */
  readonly requests: string[];
  /** Statuses of errors for the next requests; 0 for no error, 200 for an empty object, and 203 for a page of a proxy. */
  readonly failures: number[];
  close(): void;
}

/** The token that may write comments. */
export const commentToken = 'comment-token-canary';

/** Starts the parts of the API of GitHub that the comment on a pull request needs: number 7 of acme/docs. */
export function fakeGitHub(): Promise<FakeHost> {
  const list = '/repos/acme/docs/issues/7/comments';
  return startHost('authorization', `Bearer ${commentToken}`, {
    isUser: (path) => path === '/graphql',
    user: { data: { viewer: { login: 'github-actions[bot]' } } },
    list,
    item: /^\/repos\/acme\/docs\/issues\/comments\/(\d+)$/,
    shape: ({ id, body, author }) => ({
      id,
      body,
      user: { login: author === 'own' ? 'github-actions[bot]' : author },
      html_url: `https://github.test/acme/docs/pull/7#issuecomment-${id}`,
    }),
  });
}

/** Starts the parts of the API of GitLab that the comment on a merge request needs: number 7 of the project 12. */
export function fakeGitLab(): Promise<FakeHost> {
  return startHost('private-token', commentToken, {
    isUser: (path) => path === '/user',
    user: { id: 5 },
    list: '/projects/12/merge_requests/7/notes',
    item: /^\/projects\/12\/merge_requests\/7\/notes\/(\d+)$/,
    shape: ({ id, body, author }) => ({ id, body, author: { id: author === 'own' ? 5 : 6 } }),
  });
}

interface Api {
  readonly isUser: (path: string) => boolean;
  readonly user: object;
  readonly list: string;
  readonly item: RegExp;
  readonly shape: (comment: FakeComment) => object;
}

async function startHost(header: string, value: string, api: Api): Promise<FakeHost> {
  const comments: FakeComment[] = [];
  const requests: string[] = [];
  const failures: number[] = [];
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host');
    const { method } = request;
    requests.push(`${method} ${pathname}`);
    const failure = failures.shift();
    if (failure) return { status: failure, body: {} };
    if (request.headers[header] !== value) return { status: 403, body: {} };
    if (api.isUser(pathname)) return { status: 200, body: api.user };
    if (pathname === api.list && method === 'GET') {
      const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))];
      return { status: 200, body: comments.slice((page - 1) * size, page * size).map(api.shape) };
    }
    let text = '';
    for await (const chunk of request) text += chunk;
    const { body } = JSON.parse(text) as { body: string };
    if (pathname === api.list && method === 'POST') {
      const made = { id: comments.length + 1, body, author: 'own' };
      comments.push(made);
      return { status: 201, body: api.shape(made) };
    }
    const found = comments.find(({ id }) => String(id) === api.item.exec(pathname)?.[1]);
    if (found === undefined || (method !== 'PATCH' && method !== 'PUT')) return { status: 404, body: {} };
    found.body = body;
    return { status: 200, body: api.shape(found) };
  };
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) =>
      response
        .writeHead(status, { 'retry-after': '0', connection: 'close' })
        .end(status === 203 ? '<!doctype html><title>Sign in</title>' : JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    comments,
    requests,
    failures,
    close: () => void server.close(),
  };
}
