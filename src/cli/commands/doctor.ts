import type { Command } from 'commander';
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { version } from 'node:process';
import type { BlobStorage } from '../../core/blob-storage.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { isProblem, orUndefined, Problem } from '../../errors/problem.ts';
import { listSome, plural } from '../../contract/values.ts';
import { damagedStore } from '../../core/damage.ts';
import { measureRemoval } from '../../resources/jobs/contract.ts';
import { daysToRestore, listSpaces } from '../../resources/spaces/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { me, myToken } from '../../resources/users/contract.ts';
import { ExitCode, type CommandHelp, type DefineCommand } from '../composite-command.ts';
import { withValues, type Runtime } from '../runtime.ts';
import { formatBytes } from '../manifest/describe-step.ts';
import { resolveOrganization } from '../names/names.ts';
import { drawFields } from '../output/draw-fields.ts';
import type { ServeFlags } from '../serve/serve-options.ts';
import { createSession, explainError, wantsReport, type Session } from '../session/session.ts';
import { withoutKey } from './store/note-missing-key.ts';
import { storeFailure } from '../../stores/failures.ts';
import { pathOfStore } from '../../stores/url.ts';
import { useNewStore } from '../../stores/guard.ts';
import { settingsFolder, storeUrlOf, type GlobalFlags } from '../settings/settings.ts';

interface Check {
  readonly id: string;
  readonly ok: boolean;
  readonly found: string;
}

const columns = ['id', 'ok', 'found'];

export const help: CommandHelp = {
  columns,
  description: `
Checks the versions, the settings, the store or server, the token, the organization, the clock, the disk space, the environment variables of \`serve\` and of services such as translation, the key that encrypts secrets, and the folder or bucket of large files. Exits with 69 if a check fails. Also lists the deleted spaces that are not yet removed for good. Administrators also see how many bytes of
deleted data their organization still has. The operator of the store sees this number for the whole store.
The command changes nothing, and also works if the settings file is broken.
`,
  examples: ['docsctl doctor', "docsctl doctor -o json --query 'items[?!ok]'"],
  exitCodes: { 69: 'At least one check failed.' },
};

export const define: DefineCommand = (command, _, runtime) => {
  command.action(async () => {
    const exchanges: Exchange[] = [];
    const flags = command.optsWithGlobals<GlobalFlags>();
    const { session, problem } = openSession(runtime, flags, (exchange) => exchanges.push(exchange));
    try {
      const access = await checkAccess(session);
      const checks = [
        checkVersions(runtime),
        checkSettings(runtime, problem),
        access,
        await checkToken(session),
        access.ok ? await checkOrganization(session) : undefined,
        checkClock(session, exchanges),
        checkDisk(session),
        session.settings.server === undefined
          ? await attempt(session, 'variables', async () => {
              await (await runtime.wiring()).checkVariables(runtime.env);
              await checkServeVariables(command.createCommand('serve'), session);
              return 'valid';
            })
          : undefined,
        await checkBlobs(session),
        await checkDamage(session),
        await checkSecrets(session),
        await checkRemoval(session),
      ].filter((check) => check !== undefined);
      await printChecks(session, checks);
      if (checks.some(({ ok }) => !ok)) throw new ExitCode(69);
    } finally {
      await session.close();
    }
  });
};

/** Prints the checks. On a terminal, long texts are wrapped, because a cut text would hide what to do. */
async function printChecks(session: Session, checks: readonly Check[]): Promise<void> {
  const { terminal, isInteractive } = session;
  if (!isInteractive || !wantsReport(session)) return session.printAll(checks, { columns, noun: 'checks' });
  const fields = checks.map(({ id, ok, found }) => [id, `${ok ? '✓' : '✗'} ${found}`] as const);
  await terminal.stdout.write(await drawFields(terminal, fields));
}

/** Opens a session. If settings are broken, opens one without the project file or without any file, and returns the problem. */
function openSession(
  runtime: Runtime,
  flags: GlobalFlags,
  onExchange: (exchange: Exchange) => void,
): { session: Session; problem?: Problem } {
  const missing = join(tmpdir(), `docsctl-none-${randomUUID()}`);
  const withoutProject = { cwd: '/' };
  const withoutFiles = { cwd: '/', env: { ...runtime.env, DOCSCTL_CONFIG_DIR: missing } };
  let problem: Problem | undefined;
  for (const change of [{}, withoutProject, withoutFiles]) {
    try {
      const session = createSession(withValues(runtime, change), flags, { onExchange });
      return problem === undefined ? { session } : { session, problem };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem ??= error;
    }
  }
  throw problem ?? new Problem('usage', 'The settings cannot be read.');
}

const minNode = [20, 19] as const;

function checkVersions(runtime: Runtime): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const ok = major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
  const needed = ok ? '' : `: docsctl needs Node.js ${minNode.join('.')} or later`;
  return { id: 'versions', ok, found: `docsctl ${runtime.version}, Node.js ${version}${needed}` };
}

function checkSettings(runtime: Runtime, problem: Problem | undefined): Check {
  if (problem !== undefined) return { id: 'settings', ok: false, found: describeProblem(problem) };
  const path = join(settingsFolder(runtime), 'config.json');
  if (!existsSync(path)) return { id: 'settings', ok: true, found: `no settings file yet (${path})` };
  // On Windows, the mode bits do not show who may read a file.
  if (platform() === 'win32') return { id: 'settings', ok: true, found: path };
  const mode = statSync(path).mode & 0o777;
  const ok = (mode & 0o077) === 0;
  const advice = ok ? '' : `: others can read it. Run \`chmod 600 ${path}\``;
  return { id: 'settings', ok, found: `${path}, mode ${mode.toString(8)}${advice}` };
}

/** Checks the variables of the options of `serve`. @throws Problem(invalid-input), Problem(usage) */
async function checkServeVariables(command: Command, { runtime, settings }: Session): Promise<void> {
  const { addServeOptions, readServeOptions } = await import('../serve/serve-options.ts');
  addServeOptions(command);
  readServeOptions(command, command.opts<ServeFlags>(), runtime, settings);
}

async function checkAccess(session: Session): Promise<Check> {
  const { server } = session.settings;
  const id = server === undefined ? 'store' : 'server';
  return attempt(session, id, async () => {
    const { place } = await session.api();
    const user = await session.call(me, {});
    const malformed = await session.findMalformedAnswer();
    if (malformed !== undefined) throw malformed;
    if (server === undefined) checkWritable(session);
    return `${place}, as ${user.email ?? user.displayName}`;
  });
}

/** Checks the permissions of the file of an embedded store and of its folder. @throws Problem(store-failed) */
function checkWritable({ runtime, settings }: Session): void {
  const path = pathOfStore(storeUrlOf(runtime, settings), runtime.cwd);
  if (path === undefined) return;
  try {
    const file = realpathSync(path);
    for (const one of [file, dirname(file)]) accessSync(one, constants.W_OK);
  } catch (error) {
    throw storeFailure(path, error);
  }
}

/** Checks the file of an embedded store, if there is one. */
async function checkDamage(session: Session): Promise<Check | undefined> {
  const { runtime, settings } = session;
  const url = storeUrlOf(runtime, settings);
  const path = pathOfStore(url, runtime.cwd);
  if (settings.server !== undefined || path === undefined || !existsSync(path)) return undefined;
  return attempt(session, 'damage', async () => {
    const [{ checkStore }, { tables }] = await Promise.all([
      import('../../stores/check/check-store.ts'),
      import('../../resources/tables.ts'),
    ]);
    const { damages } = await checkStore({ url, tables, cwd: runtime.cwd }, { quick: true });
    if (damages.length === 0) return 'the file of the store is intact; `docsctl store check` reads every row';
    throw damagedStore(
      listSome(
        damages.map(({ what }) => what.replace(/\.$/, '')),
        2,
      ),
    );
  });
}

/** Checks that this machine has the key of the secrets of an embedded store, and that the store was not moved. */
async function checkSecrets(session: Session): Promise<Check | undefined> {
  const { runtime, settings } = session;
  if (settings.server !== undefined) return undefined;
  const [{ readStoreFacts }, { fingerprintOfKey }, { secretKeyOf }, { targetOf }] = await Promise.all([
    import('../../stores/store-facts.ts'),
    import('../../stores/backup/key-report.ts'),
    import('../../stores/secret-key.ts'),
    import('./store/target.ts'),
  ]);
  let facts: Awaited<ReturnType<typeof readStoreFacts>>;
  let url: string;
  try {
    const target = await targetOf(session, 'doctor');
    url = target.url;
    facts = await readStoreFacts(target);
  } catch (error) {
    // Other checks report why the store cannot be read.
    if (error instanceof Problem) return undefined;
    throw error;
  }
  const { keys, movedTo } = facts;
  if (movedTo !== undefined)
    return {
      id: 'moved',
      ok: false,
      found: `This store was moved to ${movedTo}. Its content is out of date, and it refuses changes. ${useNewStore(url, movedTo)}`,
    };
  if (keys.length === 0) return undefined;
  return attempt(session, 'key', async () => {
    const present = await fingerprintOfKey(url, runtime);
    const missing = keys.filter((key) => key !== present);
    if (missing.length === 0) return `the store uses the key ${present}, which is present`;
    // The key exists, but it cannot be used.
    const path = pathOfStore(url, runtime.cwd);
    if (present === undefined && path !== undefined && existsSync(`${path}.key`))
      await secretKeyOf(url, runtime)('open');
    throw new Problem('store-failed', `The store has secrets whose key is missing: ${listSome(missing)}.`, {
      hint: `Put the original key file beside the store, or set DOCSCTL_SECRET_KEY to the original key. ${withoutKey}`,
    });
  });
}

async function checkToken(session: Session): Promise<Check> {
  const { server, token } = session.settings;
  if (server === undefined) return { id: 'token', ok: true, found: 'not needed for an embedded store' };
  if (token === undefined)
    return { id: 'token', ok: false, found: 'There is no token. Run `docsctl login` or set DOCSCTL_TOKEN.' };
  return attempt(session, 'token', async () => {
    const known = await orUndefined(session.call(myToken, {}), 'not-found');
    if (known === undefined) return `from ${token.from}`;
    const end = known.expiresAt === null ? 'does not expire' : `expires ${known.expiresAt}`;
    return `from ${token.from}, role ${known.role}, ${end}`;
  });
}

/** Checks that the organization of the settings exists, if they name one. */
async function checkOrganization(session: Session): Promise<Check | undefined> {
  const { org } = session.settings;
  if (org === undefined) return undefined;
  return attempt(session, 'organization', async () => {
    const organizationId = await resolveOrganization(session);
    const { title } = await session.call(getOrganization, { params: { organizationId } });
    return `${title} (${organizationId}), from ${org.from}`;
  });
}

/** Checks that the blob storage can be read, if DOCSCTL_BLOBS is set. */
async function checkBlobs(session: Session): Promise<Check | undefined> {
  const { runtime, settings } = session;
  const url = runtime.env['DOCSCTL_BLOBS'];
  if (settings.server !== undefined || !url) return undefined;
  return attempt(session, 'blobs', async () => {
    const { openBlobs } = await runtime.wiring();
    const storage = await openBlobs(runtime, url, settings.caFile);
    // No object has this key. A missing object shows that the storage works.
    await storage.get(`${'0'.repeat(64)}.doctor`);
    await checkOneObject(session, storage);
    return storage.url;
  });
}

/** Reads one of the large files, which are not there if another folder or an unmounted disk is used. @throws Problem(store-failed) */
async function checkOneObject({ runtime, settings }: Session, storage: BlobStorage): Promise<void> {
  const [{ openStore }, { checkObjects }, { tables }] = await Promise.all([
    import('../../stores/index.ts'),
    import('../../stores/check/check-objects.ts'),
    import('../../resources/tables.ts'),
  ]);
  const store = await openStore(storeUrlOf(runtime, settings), { tables, cwd: runtime.cwd, create: false });
  const missing: string[] = [];
  try {
    await checkObjects(store, storage, ({ what }) => missing.push(what), 1);
  } finally {
    await store.close();
  }
  if (missing[0] !== undefined)
    throw new Problem('store-failed', missing[0], {
      hint: 'Check that the folder or bucket is the right one, and that its disk is mounted.',
    });
}

/** Lists the deleted spaces that wait for their permanent removal, if there are any and the organization is known. */
async function checkRemoval(session: Session): Promise<Check | undefined> {
  try {
    const organizationId = await resolveOrganization(session);
    const query = { deleted: true, limit: 1000 };
    const { items } = await session.call(listSpaces, { params: { organizationId }, query });
    const size = await describeWaiting(session, organizationId);
    if (items.length === 0) return size === '' ? undefined : { id: 'removal', ok: true, found: size };
    const names = items.map(({ title, deletedAt }) => {
      const age = session.runtime.clock() - Date.parse(deletedAt ?? '');
      const days = Math.max(0, Math.ceil(daysToRestore - age / (24 * 60 * 60 * 1000)));
      return `"${title}" in ${plural(days, 'day')}`;
    });
    const found = `${plural(items.length, 'deleted space')} will be removed for good: ${listSome(names, 3)}`;
    return { id: 'removal', ok: true, found: size === '' ? found : `${found}; ${size}` };
  } catch (error) {
    // Other checks report why the store or server cannot be read.
    if ((await explainError(session, error)) instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns the number of bytes that wait for removal as text; '' if there are none, or if it is unknown. */
async function describeWaiting(session: Session, organizationId: string): Promise<string> {
  try {
    const { scope, bytes } = await session.call(measureRemoval, { params: { organizationId } });
    if (bytes === 0) return '';
    return scope === 'store'
      ? `${formatBytes(bytes)} of deleted spaces and unused content are left to remove in the whole store`
      : `${formatBytes(bytes)} of deleted spaces are left to remove in this organization`;
  } catch (error) {
    // Servers of earlier versions do not have the operation, and it requires an administrator.
    if (isProblem(error, 'not-found', 'forbidden')) return '';
    throw error;
  }
}

/** Maximum difference, in seconds, between the clocks of this machine and of the server, or of a store file. */
const maxSkew = 60;

function checkClock({ runtime, settings, flags }: Session, exchanges: readonly Exchange[]): Check {
  const now = runtime.clock();
  const here = new Date(now).toISOString();
  const date = exchanges.map((one) => Date.parse(one.responseHeaders['date'] ?? '')).find((at) => at > 0);
  const file = fileOfStore(storeUrlOf(runtime, settings), runtime.cwd);
  const written = settings.server === undefined && existsSync(file) ? statSync(file).mtimeMs : undefined;
  const skew = date !== undefined ? (now - date) / 1000 : written !== undefined ? (now - written) / 1000 : 0;
  const isWrong = date !== undefined ? Math.abs(skew) > maxSkew : skew < -maxSkew;
  if (!isWrong) return { id: 'clock', ok: true, found: flags.debug === true ? `${here}, ${skew} s` : here };
  const seconds = Math.abs(Math.round(skew));
  const direction = skew > 0 ? 'ahead of' : 'behind';
  const other = date === undefined ? 'the time at which the store was written' : 'the server';
  return {
    id: 'clock',
    ok: false,
    found: `${here} is ${seconds} s ${direction} ${other}. Set the clock of this machine.`,
  };
}

const minFreeBytes = 100 * 2 ** 20;

function checkDisk({ runtime, settings }: Session): Check {
  const start =
    settings.server === undefined
      ? fileOfStore(storeUrlOf(runtime, settings), runtime.cwd)
      : settingsFolder(runtime);
  let folder = dirname(resolve(runtime.cwd, start));
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const ok = free >= minFreeBytes;
  return {
    id: 'disk',
    ok,
    found: `${(free / 2 ** 30).toFixed(1)} GiB free in ${folder}${ok ? '' : ': free disk space before you write'}`,
  };
}

/** Returns the path of a store URL; the working folder for a store without a file. */
function fileOfStore(url: string, cwd: string): string {
  const [, scheme, path = ''] = /^(\w+:)?(.*)$/s.exec(url) ?? [];
  return scheme === undefined || scheme === 'sqlite:' || scheme === 'json:'
    ? resolve(cwd, path)
    : join(cwd, '.');
}

async function attempt(session: Session, id: string, read: () => Promise<string>): Promise<Check> {
  try {
    return { id, ok: true, found: await read() };
  } catch (error) {
    const problem = await explainError(session, error);
    if (!(problem instanceof Problem)) throw error;
    return { id, ok: false, found: describeProblem(problem) };
  }
}

function describeProblem({ message, hint }: Problem): string {
  return [message, hint].filter(Boolean).join(' ');
}
