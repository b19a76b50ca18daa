import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, requestJson, requestList } from './api.js';
import { UsageError } from './settings.js';

/** @import { Change, Comments, Environment, Host } from './types.d.ts' */

/**
 * Describes a job of GitHub Actions.
 * @param {Environment} env
 * @param {(line: string) => void} print
 * @returns {Host}
 */
export function githubHost(env, print) {
  const event = readEvent(env['GITHUB_EVENT_PATH']);
  const pull = event.pull_request;
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env;
  return {
    planFile: join(env['RUNNER_TEMP'] || tmpdir(), 'docsctl-plan.json'),
    change: pull && { origin: originOf(pull, repository, env), commit: pull.head?.sha },
    comments: commentsOf(env, repository, pull?.number),
    commentNeeds: '`permissions: pull-requests: write` for the job',
    maxComment: 65_536,
    runUrl: server && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
    note: (level, text) => print(`::${level}::${escapeCommand(text)}`),
    async quarantine(work) {
      const token = randomBytes(16).toString('hex');
      print(`::stop-commands::${token}`);
      try {
        return await work();
      } finally {
        print(`::${token}::`);
      }
    },
    annotates: true,
    annotate(output) {
      for (const line of output.split('\n')) if (/^::(?:error|warning|notice)[ :]/.test(line)) print(line);
    },
    writeSummary: (markdown) => append(env['GITHUB_STEP_SUMMARY'], markdown),
    writeOutputs(outputs) {
      const lines = Object.entries(outputs).map(
        ([name, value]) => `${name}=${value.replace(/[\r\n]/g, ' ')}\n`,
      );
      append(env['GITHUB_OUTPUT'], lines.join(''));
    },
  };
}

/**
 * @param {any} pull
 * @param {string} repository
 * @param {Environment} env
 * @returns {Change['origin']}
 */
function originOf(pull, repository, env) {
  if (pull.head?.repo?.full_name !== repository) return 'fork';
  return env['GITHUB_ACTOR'] === 'dependabot[bot]' ? 'dependabot' : 'repository';
}

/**
 * @param {Environment} env
 * @param {string} repository
 * @param {number | undefined} number
 * @returns {Comments | undefined}
 */
function commentsOf(env, repository, number) {
  const token = env['DOCSCTL_CI_COMMENT_TOKEN'];
  const api = env['GITHUB_API_URL'];
  if (
    !token ||
    !api ||
    number === undefined ||
    !Number.isSafeInteger(number) ||
    !/^[\w.-]+\/[\w.-]+$/.test(repository)
  )
    return undefined;
  const headers = { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' };
  const base = `${api}/repos/${repository}/issues`;
  return {
    async list() {
      const own = await readLogin(env['GITHUB_GRAPHQL_URL'] || `${api}/graphql`, headers);
      const found = [];
      for (let page = 1; page <= 100; page++) {
        const items = await requestList(`${base}/${number}/comments?per_page=100&page=${page}`, { headers });
        for (const { id, body, user } of items)
          found.push({ id: String(id), body: String(body), isOwn: bareLogin(user?.login) === own });
        if (items.length < 100) break;
      }
      return found;
    },
    async create(body) {
      const made = await requestJson(`${base}/${number}/comments`, {
        method: 'POST',
        headers,
        body: { body },
        once: true,
      });
      return String(made.html_url);
    },
    async update(id, body) {
      const made = await requestJson(`${base}/comments/${id}`, { method: 'PATCH', headers, body: { body } });
      return String(made.html_url);
    },
  };
}

/**
 * Reads whose token it is. REST does not say it for the token of a job.
 * @param {string} url
 * @param {Record<string, string>} headers
 */
async function readLogin(url, headers) {
  const { data } = await requestJson(url, {
    method: 'POST',
    headers,
    body: { query: '{ viewer { login } }' },
  });
  const login = data?.viewer?.login;
  // Without it, an earlier comment would not be found, and every run would write another one.
  if (typeof login !== 'string') throw new ApiError('GitHub did not say whose token it is', undefined);
  return bareLogin(login);
}

/** @param {unknown} login */
function bareLogin(login) {
  return String(login).replace(/\[bot\]$/, '');
}

/**
 * Reads the event that started the workflow; empty outside of GitHub.
 * @param {string | undefined} path
 * @returns {any}
 */
function readEvent(path) {
  if (!path) return {};
  try {
    const event = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof event === 'object' && event !== null) return event;
  } catch {}
  // Without the event, a pull request of a fork would get the token.
  throw new UsageError(`The event of the workflow cannot be read. GITHUB_EVENT_PATH must name a JSON file.`);
}

/** @param {string} text */
function escapeCommand(text) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * @param {string | undefined} path
 * @param {string} text
 */
function append(path, text) {
  if (path) appendFileSync(path, text);
}
