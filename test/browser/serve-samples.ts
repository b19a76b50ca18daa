import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { run } from '../../src/cli/program.ts';
import { openSiteFiles } from '../../src/publishing/site-files.ts';
import { docsctl, runtimeOf, type CliOptions } from '../support/cli.ts';
import { runShell } from '../support/shell.ts';
import { findChromium } from './find-chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the sample site. Ends with a slash. */
    readonly site: string;
    /** The address of the API, and a token of its administrator. */
    readonly api: string;
    readonly token: string;
    readonly chromium: string;
  }
}

const samples = fileURLToPath(new URL('../samples/site', import.meta.url));
const mermaid = fileURLToPath(new URL('../samples/mermaid', import.meta.url));
const built = fileURLToPath(new URL('../../dist/site/site.css', import.meta.url));

/** Publishes the site of test/samples/site by the commands of its setup.txt, and serves it until the tests are done. */
export default async function serveSamples({ provide }: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(built)) throw new Error('dist/site does not exist. Run `npm run build` first.');
  // The server below finds the same files open.
  openSiteFiles((name) => (name === 'mermaid' ? mermaid : undefined));
  provide('chromium', findChromium(process.env));
  const home = mkdtempSync(join(tmpdir(), 'docsctl-browser-'));
  const work = join(home, 'work');
  cpSync(samples, work, { recursive: true });
  const stop = new AbortController();
  const options: CliOptions = {
    home,
    cwd: work,
    signal: stop.signal,
    env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config') },
  };
  for (const line of readFileSync(join(samples, 'setup.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const { exit, stderr } = await runShell(line, options);
    if (exit !== 0) throw new Error(`${line}: exit ${exit}\n${stderr}`);
  }
  const { api, sites, ended } = await serve(options);
  provide('site', `${sites}/sites/acme/samples/`);
  provide('api', api);
  const words = ['tokens', 'create', '--role', 'admin', '-o', 'json'];
  const { stdout } = await docsctl(words, { ...options, signal: new AbortController().signal });
  provide('token', JSON.parse(stdout).token);
  return async () => {
    stop.abort();
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
}

/** Starts `docsctl serve` in this process, and returns its addresses as soon as sites are shown. */
async function serve(
  options: CliOptions,
): Promise<{ readonly api: string; readonly sites: string; readonly ended: Promise<unknown> }> {
  const { runtime, err } = runtimeOf(['serve', '--port', '0', '--sites-port', '0'], options);
  const { stdout, ...terminal } = runtime.terminal;
  let ended: Promise<number> = Promise.resolve(0);
  const [api, sites] = await new Promise<[api: string, sites: string]>((resolve, reject) => {
    let text = '';
    const write: typeof stdout.write = (more) => {
      text += String(more);
      const [, own, found] = / on (\S+)\n[^]*published sites on (\S+)/.exec(text) ?? [];
      if (own !== undefined && found !== undefined) resolve([own, found]);
    };
    ended = run({ ...runtime, terminal: { ...terminal, stdout: { ...stdout, write } } });
    void ended.then((exit) =>
      reject(new Error(`docsctl serve: exit ${exit}\n${text}${err.bytes().toString()}`)),
    );
  });
  return { api, sites, ended };
}
