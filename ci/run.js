#!/usr/bin/env node
// Runs one docsctl command in a job of GitHub Actions, GitLab CI or another service: prints what it says, writes a
// report, comments on the pull request, and ends with the exit code of docsctl. action.yml and gitlab.yml describe the
// variables that it reads.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { ApiError } from './api.js';
import { fileHost } from './file-host.js';
import { githubHost } from './github.js';
import { gitlabHost } from './gitlab.js';
import { createRedactor, findProgram, InstallError, runProgram } from './program.js';
import { codeSpan, cutMarkdown, withoutAnnotations, writeReport } from './report.js';
import { commandLineOf, readSettings, readTokenFiles, UsageError, withoutToken } from './settings.js';
import { writeStickyComment } from './sticky-comment.js';

/** @import { Environment, Host, Settings } from './types.d.ts' */

/** Characters of the summary of a job, which may have a megabyte. */
const maxSummary = 300_000;

/**
 * @param {Environment} env
 * @param {(line: string) => void} print
 */
async function main(env, print) {
  let note = (/** @type {'error'} */ level, /** @type {string} */ text) => print(`::${level}::${text}`);
  try {
    const host = hostOf(env, print);
    note = host.note;
    return await runJob(host, readSettings(env, process.cwd()), env, print);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof InstallError)) throw error;
    note('error', error.message);
    return error instanceof UsageError ? 64 : 69;
  }
}

/**
 * @param {Host} host
 * @param {Settings} given
 * @param {Environment} env
 * @param {(line: string) => void} print
 */
async function runJob(host, given, env, print) {
  const restriction = restrictionOf(host, env);
  const settings = restriction === undefined ? given : withoutToken(given);
  const remarks = [];
  if (restriction !== undefined) {
    remarks.push(
      `${restriction} ${settings === undefined ? 'Nothing was done.' : 'The manifest was only checked, with `docsctl validate`.'}`,
    );
    host.note('notice', remarks.join('\n'));
  }
  if (settings === undefined) {
    host.writeOutputs({ 'exit-code': '0', changes: '', 'plan-file': '', 'comment-url': '' });
    host.writeSummary(`### docsctl ${codeSpan(given.words.join(' '))}\n\n${remarks.join('\n')}\n`);
    return 0;
  }
  const { words, isPlan, planFile } = commandLineOf(settings, host);
  // A plan of an earlier step is not the plan of this one.
  if (planFile === host.planFile) rmSync(planFile, { force: true });
  const secrets = [
    env['DOCSCTL_TOKEN'],
    env['GITBOOK_TOKEN'],
    env['DOCSCTL_CI_COMMENT_TOKEN'],
    ...readTokenFiles(settings, env),
  ];
  const redact = createRedactor(secrets);
  const bin = await findProgram(
    settings.version,
    env['RUNNER_TEMP'] || tmpdir(),
    without(env, (name) => name.startsWith('DOCSCTL_')),
  );
  const isSecret = (/** @type {string} */ name) =>
    name.startsWith('DOCSCTL_CI_') || (restriction !== undefined && /^(?:DOCSCTL|GITBOOK)_TOKEN/.test(name));
  const ran = await host.quarantine(() =>
    runProgram(bin, words, {
      cwd: settings.folder,
      env: { ...without(env, isSecret), NO_COLOR: '1', DOCSCTL_NO_INPUT: '1' },
      print,
      redact,
    }),
  );
  const isAnnotated = / --format[ =]github\b/.test(` ${words.join(' ')}`);
  if (isAnnotated) host.annotate(ran.stdout);
  const outcome = isAnnotated
    ? { ...ran, log: withoutAnnotations(ran.log), stdout: withoutAnnotations(ran.stdout) }
    : ran;
  const hasChanges = isPlan && outcome.exitCode === 2;
  const exitCode = hasChanges ? 0 : outcome.exitCode;
  const report = redact(
    writeReport({ words: settings.words, isPlan, outcome, remarks, footer: writeFooter(host) }),
  );
  const url = given.comment ? await comment(host, given.commentKey, report) : '';
  host.writeOutputs({
    'exit-code': String(outcome.exitCode),
    changes: isPlan && exitCode === 0 ? String(hasChanges) : '',
    'plan-file': planFile !== undefined && exitCode === 0 ? planFile : '',
    'comment-url': url,
  });
  host.writeSummary(cutMarkdown(report, maxSummary, 'The rest is in the log of the job.'));
  return exitCode;
}

/**
 * Says why the job has to do without a token; undefined if it need not. A fork gets none even where there is one,
 * because everybody can write a manifest there that reads the files and variables of the job.
 * @param {Host} host
 * @param {Environment} env
 */
function restrictionOf({ change }, env) {
  if (change?.origin === 'fork') return 'Pull requests from forks are not given the token.';
  if (change?.origin === 'dependabot' && !env['DOCSCTL_TOKEN'] && !env['DOCSCTL_TOKEN_FILE'])
    return 'Pull requests of Dependabot are not given the secrets of the repository.';
  return undefined;
}

/**
 * Comments on the pull request, if there is one. A comment that cannot be posted fails no job.
 * @param {Host} host
 * @param {string} key
 * @param {string} report
 */
async function comment(host, key, report) {
  if (host.change === undefined) return '';
  if (host.comments === undefined) {
    host.note('notice', `No comment was posted. It needs ${host.commentNeeds}.`);
    return '';
  }
  const room = host.maxComment - 1000;
  const body = cutMarkdown(report, room, 'This comment is cut. The rest is in the report of the job.');
  try {
    return await writeStickyComment(host.comments, key.slice(0, 200), body);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isRefused = [401, 403, 404].includes(error.status ?? 0);
    const needs = isRefused ? ` It needs ${host.commentNeeds}.` : '';
    host.note(isRefused ? 'notice' : 'warning', `No comment was posted: ${error.message}.${needs}`);
    return '';
  }
}

/** @param {Host} host */
function writeFooter({ change, runUrl }) {
  const commit = change?.commit?.slice(0, 10);
  const parts = [
    ...(commit === undefined ? [] : [`Commit ${codeSpan(commit)}`]),
    ...(runUrl === undefined ? [] : [`[log](${runUrl})`]),
  ];
  return parts.length === 0 ? '' : `\n<sub>${parts.join(' · ')}</sub>\n`;
}

/**
 * @param {Environment} env
 * @param {(line: string) => void} print
 */
function hostOf(env, print) {
  if (env['GITHUB_ACTIONS'] === 'true') return githubHost(env, print);
  return env['GITLAB_CI'] === 'true' ? gitlabHost(env, print) : fileHost('.', print);
}

/**
 * Returns an environment without some variables.
 * @param {Environment} env
 * @param {(name: string) => boolean} isLeftOut
 */
function without(env, isLeftOut) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeftOut(name)));
}

process.exitCode = await main(process.env, (line) => void process.stdout.write(`${line}\n`));
