import { join } from 'node:path';
import { withPeak } from './measure.js';
import { docsctl, init, json, once, startServer } from './support.js';

/** The path of the first page of the site. */
export const sitePath = '/sites/bench/docs/';

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

/**
 * A published site with one space, in a store of its own.
 *
 * @typedef {{ store: string, token: string, spaceId: string }} Site
 *
 * A change of a page, as the API takes it.
 *
 * @typedef {{ page: Listed | undefined, title?: string, document: { markdown: string } }} Change
 *
 * @typedef {{ id: string, type: string, path: string, pages: Listed[] }} Listed
 */

/**
 * Imports a folder of Markdown and publishes it.
 *
 * @param {import('./support.js').Bench} bench
 * @param {string} name of the store
 * @param {string} docs
 * @param {string} [store] the URL of a store that does not exist (default: an SQLite file)
 * @returns {Promise<Site>}
 */
export async function createSite(
  { folder, env },
  name,
  docs,
  store = `sqlite:${join(folder, `${name}.db`)}`,
) {
  const { token } = init(store, env);
  const at = ['--store', store];
  const spaceId = json(docsctl('spaces', 'create', ...at, '--title', 'Guide', '-o', 'json'), env).id;
  await withPeak(docsctl('spaces', 'import', 'Guide', docs, ...at, '--quiet', '-o', 'none'), { env });
  json(docsctl('sites', 'create', ...at, '--title', 'Docs', '--spaces', 'Guide', '-o', 'json'), env);
  json(docsctl('sites', 'publish', 'Docs', ...at, '-o', 'json'), env);
  return { store, token, spaceId };
}

/**
 * Starts the server of a site.
 *
 * @param {Site} site
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [options] more options of the command
 */
export function startServerOf({ store }, env, options = []) {
  return startServer(store, env, ['--sites-port', '0', ...options]);
}

/**
 * Lists the pages of the space through the API. `merge` changes pages in a change request and merges it.
 *
 * @param {Site} site
 * @param {Server} server
 */
export async function openSpace({ token, spaceId }, server) {
  const headers = { authorization: `Bearer ${token}` };
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const call = async (method, path, body) => {
    const answer = await once(server.base, {
      method,
      path: `/v1/spaces/${spaceId}${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const { pages: listed } = await call('GET', '/content/pages?texts=false');
  /** @param {readonly Listed[]} nodes @returns {Listed[]} */
  const flat = (nodes) => nodes.flatMap((page) => [page, ...flat(page.pages)]);
  /** @param {readonly Change[]} changed */
  const merge = async (changed) => {
    const { id } = await call('POST', '/change-requests', {});
    const changes = changed.map(({ page, ...change }) => ({
      operation: 'update_page',
      page: page?.id,
      ...change,
    }));
    await call('POST', `/change-requests/${id}/content/batch`, { changes });
    await call('POST', `/change-requests/${id}/merge`, {});
  };
  return { documents: flat(listed).filter(({ type }) => type === 'document'), merge };
}
