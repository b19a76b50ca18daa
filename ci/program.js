import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @import { Environment, Outcome } from './types.d.ts' */

const root = fileURLToPath(new URL('..', import.meta.url));

/** A failure to install docsctl. */
export class InstallError extends Error {}

/**
 * Returns the path of the docsctl to run: the package that these scripts are part of, or else one that npm installs into
 * a folder of the job. Nothing is installed twice.
 * @param {string} version a version or tag; empty for the version of these scripts
 * @param {string} temp a folder of the job
 * @param {Environment} env
 */
export async function findProgram(version, temp, env) {
  if (version === '' && existsSync(join(root, 'dist/main.js'))) return join(root, 'bin/docsctl.js');
  const wanted = version === '' ? ownVersion() : version;
  const folder = join(temp, `docsctl-${wanted}`);
  const bin = join(folder, 'node_modules/docsctl/bin/docsctl.js');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  // npm is a batch file on Windows, which only a shell starts. Every word is of this script, or has only safe characters.
  const child = spawn('npm', [...words, `docsctl@${wanted}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env,
  });
  const [code] = await once(child, 'close').catch((error) => [String(error)]);
  if (code !== 0 || !existsSync(bin))
    throw new InstallError(
      `npm could not install docsctl@${wanted} (${code}). Check the version and the registry.`,
    );
  return bin;
}

/** Returns the version of the package or repository that these scripts are part of. */
export function ownVersion() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return String(version);
}

/**
 * Runs docsctl and prints its lines as they come. No shell is involved.
 * @param {string} bin
 * @param {readonly string[]} words
 * @param {{ readonly cwd: string, readonly env: Environment, readonly print: (line: string) => void, readonly redact: (text: string) => string }} options
 * @returns {Promise<Outcome>}
 */
export async function runProgram(bin, words, { cwd, env, print, redact }) {
  const child = spawn(process.execPath, [bin, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  /** @type {string[]} */
  const log = [];
  const collect = async (/** @type {import('node:stream').Readable} */ stream) => {
    const own = [];
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      const shown = redact(line);
      own.push(shown);
      log.push(shown);
      print(shown);
    }
    return own.join('\n');
  };
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    collect(child.stdout),
    collect(child.stderr),
  ]);
  const exitCode = typeof code === 'number' ? code : signal === 'SIGINT' ? 130 : 143;
  return { exitCode, stdout, stderr, log: log.join('\n') };
}

/**
 * Returns a function that hides secrets, in case one is part of a text after all.
 * @param {readonly (string | undefined)[]} secrets
 * @returns {(text: string) => string}
 */
export function createRedactor(secrets) {
  const known = secrets.flatMap((secret) => (secret !== undefined && secret.length >= 6 ? [secret] : []));
  return (text) => known.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
