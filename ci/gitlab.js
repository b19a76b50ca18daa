import { ApiError, requestJson, requestList } from './api.js';
import { fileHost } from './file-host.js';
import { disarmQuickActions } from './report.js';

/** @import { Comments, Environment, Host } from './types.d.ts' */

/**
 * Describes a job of GitLab CI.
 * @param {Environment} env
 * @param {(line: string) => void} print
 * @returns {Host}
 */
export function gitlabHost(env, print) {
  const target = env['CI_MERGE_REQUEST_PROJECT_ID'];
  return {
    ...fileHost(env['CI_PROJECT_DIR'] || '.', print),
    change:
      env['CI_MERGE_REQUEST_IID'] === undefined
        ? undefined
        : {
            origin: env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID'] === target ? 'repository' : 'fork',
            commit: env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'],
          },
    comments: commentsOf(env),
    commentNeeds: 'DOCSCTL_CI_COMMENT_TOKEN, a project access token with the scope api and the role Reporter',
    maxComment: 1_000_000,
    runUrl: env['CI_JOB_URL'],
  };
}

/**
 * @param {Environment} env
 * @returns {Comments | undefined}
 */
function commentsOf(env) {
  const token = env['DOCSCTL_CI_COMMENT_TOKEN'];
  const api = env['CI_API_V4_URL'];
  const project = env['CI_MERGE_REQUEST_PROJECT_ID'] ?? '';
  const number = env['CI_MERGE_REQUEST_IID'] ?? '';
  if (!token || !api || !/^\d+$/.test(project) || !/^\d+$/.test(number)) return undefined;
  const headers = { 'private-token': token };
  const notes = `${api}/projects/${project}/merge_requests/${number}/notes`;
  const addressOf = (/** @type {{ id: number }} */ { id }) =>
    `${env['CI_MERGE_REQUEST_PROJECT_URL']}/-/merge_requests/${number}#note_${id}`;
  return {
    async list() {
      const { id: own } = await requestJson(`${api}/user`, { headers });
      if (typeof own !== 'number') throw new ApiError('GitLab did not say whose token it is', undefined);
      const found = [];
      for (let page = 1; page <= 100; page++) {
        const items = await requestList(`${notes}?sort=asc&per_page=100&page=${page}`, { headers });
        for (const { id, body, author } of items)
          found.push({ id: String(id), body: String(body), isOwn: author?.id === own });
        if (items.length < 100) break;
      }
      return found;
    },
    async create(body) {
      const sent = { body: disarmQuickActions(body) };
      return addressOf(await requestJson(notes, { method: 'POST', headers, body: sent, once: true }));
    },
    async update(id, body) {
      const sent = { body: disarmQuickActions(body) };
      return addressOf(await requestJson(`${notes}/${id}`, { method: 'PUT', headers, body: sent }));
    },
  };
}
