import { statSync } from 'node:fs';
import type { NetworkSettings } from './client/connection.ts';
import type { Api } from './contract/api.ts';
import type { BlobStorage } from './core/blob-storage.ts';
import type { ConnectOptions, CoreRuntime, OpenCoreOptions, Runtime, Settings } from './cli/runtime.ts';
import { credentialOf, storeUrlOf } from './cli/settings/settings.ts';
import { createCorrelationId } from './contract/correlation.ts';
import { defined } from './contract/values.ts';
import type { CallSource } from './core/audit/record-call.ts';
import type { Core } from './core/embedded.ts';
import type { DnsLookup, TextLookup } from './core/dns.ts';
import type { Engine } from './core/jobs.ts';
import type { AddressCheck, Outgoing } from './core/outgoing.ts';
import type { Publisher } from './core/publisher.ts';
import type { ScriptRuntime } from './core/scripts.ts';
import type { SecretKey } from './core/secrets.ts';
import type { Store } from './core/store.ts';
import { isProblem, Problem } from './errors/problem.ts';
import type { Copy, CopyFounder } from './manifest/rehearse/copy.ts';

/** Connects the Api that the settings name: an embedded store, or a server. Heavy modules are loaded at their first use. */
export async function connectApi(
  runtime: Runtime,
  settings: Settings,
  note: (message: string) => void,
  { timeout, retryMaxWait, allowHttp = false, onExchange }: ConnectOptions = {},
): Promise<Api> {
  if (settings.server !== undefined) {
    if (settings.as !== undefined)
      throw new Problem(
        'usage',
        '--as works on embedded stores only. On a server, the token says who you are.',
        {
          hint: settings.as.from.startsWith('--')
            ? 'Leave out --as.'
            : `The member comes from ${settings.as.from}. Remove it there.`,
        },
      );
    const [{ remoteApi }, { checkPlainHttp, readCa, findServerProxy }] = await Promise.all([
      import('./client/remote-api.ts'),
      import('./client/connection.ts'),
    ]);
    const { server, token, caFile } = settings;
    if (token !== undefined) await checkPlainHttp(server, allowHttp);
    const ca = readCa(caFile, runtime.cwd);
    const { createIds, randomFractions } = await import('./core/ids.ts');
    const newId = createIds(runtime.clock, randomFractions(runtime.randomBytes));
    return remoteApi({
      server: server.value,
      token: token?.value,
      tokenFrom: token?.from,
      version: runtime.version,
      newKey: () => newId('key'),
      newCorrelation: () => createCorrelationId(runtime.randomBytes),
      retries: 2,
      now: runtime.clock,
      onNote: note,
      onExchange,
      allowInsecure: allowHttp,
      connection: { ca, proxy: findServerProxy(server, runtime.env), from: server.from },
      ...(retryMaxWait !== undefined && { maxWait: retryMaxWait * 1000 }),
      // --timeout ends the whole command, so no call needs a shorter limit.
      ...(timeout !== undefined && { timeout: timeout * 1000, limits: { headers: timeout * 1000 } }),
    });
  }
  const core = await openCore(runtime, storeUrlOf(runtime, settings), {
    publicUrl: settings.publicUrl?.value,
    sitesUrl: settings.sitesUrl?.value,
    asLatestServer: true,
    caFile: settings.caFile,
  });
  const { embeddedApi } = await import('./core/embedded.ts');
  const api = embeddedApi(core, credentialOf(settings), localSource(runtime));
  if (onExchange === undefined) return api;
  const { observedApi } = await import('./client/observed-api.ts');
  return observedApi(api, { base: core.publicUrl, clock: runtime.clock, onExchange });
}

/** Opens the core on a store. */
export async function openCore(
  runtime: CoreRuntime,
  storeUrl: string,
  {
    publicUrl,
    sitesUrl,
    asLatestServer = false,
    create = false,
    wrapStore = (opened) => opened,
    whileAlone,
    caFile,
  }: OpenCoreOptions = {},
): Promise<Core> {
  const [
    { openStore },
    { tables },
    { createIds, randomFractions },
    { createVault },
    { handlerOf, readerOf },
    { engineOf },
  ] = await Promise.all([
    import('./stores/index.ts'),
    import('./resources/tables.ts'),
    import('./core/ids.ts'),
    import('./core/secrets.ts'),
    import('./resources/index.ts'),
    import('./resources/engines.ts'),
  ]);
  const ca = await caOf(runtime, caFile);
  const rows = wrapStore(await openStore(storeUrl, { tables, create, cwd: runtime.cwd, whileAlone }));
  const outgoing = outgoingOf({ env: runtime.env, ca });
  const store = await withConfiguredBlobs(rows, runtime, outgoing).catch(async (error: unknown) => {
    await rows.close();
    throw error;
  });
  const { defaultServerUrls, readServerUrls } = await import('./core/server-urls.ts');
  const known = asLatestServer ? await readServerUrls(store) : undefined;
  // If only the address of the API is set, it is unknown where sites are shown.
  const latest = known ?? (publicUrl === undefined ? defaultServerUrls : undefined);
  const { clock, randomBytes, env } = runtime;
  const vault = createVault(secretKeyOf(runtime, storeUrl), randomBytes);
  const core: Core = {
    store,
    clock,
    newId: createIds(clock, randomFractions(randomBytes)),
    randomBytes,
    publicUrl: publicUrl ?? latest?.publicUrl ?? defaultServerUrls.publicUrl,
    sitesUrl: sitesUrl ?? latest?.sitesUrl,
    handlerOf,
    readerOf,
    engineOf: (kind) => (kind === 'git-sync' ? gitSyncEngine(runtime, () => core) : engineOf(kind)),
    outgoing,
    lookUpHost: lookUpHostOf(runtime),
    lookUpText,
    checkAddress: addressCheckOf(runtime),
    publisher: loadedPublisher,
    vault,
    env,
    scripts: scriptRuntimeOf(runtime, outgoing, () => core),
    osUser: runtime.osUser,
  };
  return core;
}

/**
 * Returns the store with the blob storage of DOCSCTL_BLOBS.
 *
 * @throws Problem(invalid-input), Problem(store-failed)
 */
async function withConfiguredBlobs(store: Store, runtime: CoreRuntime, outgoing: Outgoing): Promise<Store> {
  const url = store.url.startsWith('memory:') ? undefined : runtime.env['DOCSCTL_BLOBS'];
  const storage = url ? await openStorage(runtime, url, outgoing).catch(nameBlobsVariable) : undefined;
  const { checkLocation } = await import('./stores/blobs/location.ts');
  await checkLocation(store, storage?.url);
  if (storage === undefined) return store;
  const { withBlobs } = await import('./stores/blobs/with-blobs.ts');
  return withBlobs(store, { storage, clock: runtime.clock, newName: newNamesOf(runtime) });
}

/** Adds the name of the variable to an error about its value. */
function nameBlobsVariable(error: unknown): never {
  if (!isProblem(error, 'invalid-input', 'usage')) throw error;
  throw error.withHint(`The location comes from DOCSCTL_BLOBS. ${error.hint ?? ''}`);
}

/**
 * Opens the blob storage at a URL. Relative paths start at the working folder.
 *
 * @throws Problem(invalid-input), Problem(store-failed)
 */
export async function openBlobs(
  runtime: Runtime,
  url: string,
  caFile?: Settings['caFile'],
): Promise<BlobStorage> {
  return openStorage(runtime, url, outgoingOf({ env: runtime.env, ca: await caOf(runtime, caFile) }));
}

/** Reads the certificates to trust. Loads nothing if there is no file of them. */
async function caOf({ cwd }: CoreRuntime, file: Settings['caFile']): Promise<NetworkSettings['ca']> {
  return file === undefined ? undefined : (await import('./client/connection.ts')).readCa(file, cwd);
}

async function openStorage(runtime: CoreRuntime, url: string, outgoing: Outgoing): Promise<BlobStorage> {
  const { openBlobStorage } = await import('./stores/blobs/index.ts');
  const { env, cwd, clock } = runtime;
  return openBlobStorage(url, { env, cwd, clock, outgoing, newName: newNamesOf(runtime) });
}

function newNamesOf({ randomBytes }: CoreRuntime): () => string {
  return () => Buffer.from(randomBytes(9)).toString('hex');
}

/** Returns the script runtime that the environment selects, loaded at its first use; undefined for none. */
function scriptRuntimeOf(
  { env, version }: CoreRuntime,
  outgoing: Outgoing,
  coreOf: () => Core,
): ScriptRuntime | undefined {
  const name = env['DOCSCTL_INTEGRATION_RUNTIME'] ?? 'quickjs';
  if (name === 'off') return undefined;
  if (name !== 'quickjs' && name !== 'workerd')
    throw new Problem(
      'invalid-input',
      `DOCSCTL_INTEGRATION_RUNTIME is "${name}", which is not a script runtime.`,
      { hint: 'Set it to quickjs, workerd or off, or unset it for quickjs.' },
    );
  let opened: Promise<ScriptRuntime> | undefined;
  const open = async (): Promise<ScriptRuntime> => {
    const { createApiFetch } = await import('./server/api-fetch.ts');
    const options = { outgoing, api: createApiFetch(coreOf(), version) };
    if (name === 'quickjs')
      return (await import('./script-runtime/quickjs-runtime.ts')).createQuickJsRuntime(options);
    const { createWorkerdRuntime, findWorkerd } = await import('./script-runtime/workerd/workerd-runtime.ts');
    return createWorkerdRuntime({ ...options, binary: await findWorkerd(env) });
  };
  return {
    run: async (request) => (await (opened ??= open())).run(request),
    // The first run has already reported the error.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

/**
 * Checks the variables that are otherwise read only when a request or job needs them. Loads only the modules that the set
 * variables need, because a server does this at its start.
 *
 * @throws Problem(invalid-input)
 */
export async function checkVariables(env: CoreRuntime['env']): Promise<void> {
  const allowed = env['DOCSCTL_ALLOW_PRIVATE'];
  if (allowed) (await import('./client/allow-list.ts')).readAllowList(allowed);
  if (env['DOCSCTL_TRUST_HOSTNAMES'])
    (await import('./resources/custom-hostnames/proof.ts')).statedTrust(env);
  const key = env['DOCSCTL_SECRET_KEY'];
  if (key) (await import('./stores/secret-key.ts')).readKey(key, 'DOCSCTL_SECRET_KEY');
  const services = [env['DOCSCTL_TRANSLATION']];
  if (env['DOCSCTL_ANALYSIS'] || env['DOCSCTL_EMBEDDINGS']) {
    const { usesModel } = await import('./core/model-requests.ts');
    if (usesModel(env, 'DOCSCTL_ANALYSIS', 'embedded') || usesModel(env, 'DOCSCTL_EMBEDDINGS', 'none'))
      services.push('openai');
  }
  for (const name of services)
    if (name)
      await (
        await import('./translation/providers/index.ts')
      ).checkProvider({ ...env, DOCSCTL_TRANSLATION: name });
  const folder = env['DOCSCTL_GIT_FOLDER'];
  if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Problem('invalid-input', `DOCSCTL_GIT_FOLDER is "${folder}", which is not a folder.`, {
      hint: 'Create the folder, or unset DOCSCTL_GIT_FOLDER.',
    });
  if (env['DOCSCTL_INTEGRATION_RUNTIME'] === 'workerd')
    await (await import('./script-runtime/workerd/workerd-runtime.ts')).findWorkerd(env);
}

/** Returns a function that describes the source of a call, for audit events. All calls of one command share an ID. */
function localSource({ osUser, randomBytes }: Runtime): () => CallSource {
  let source: CallSource | undefined;
  return () =>
    (source ??= {
      origin: { kind: 'local', ...defined({ user: osUser?.() }) },
      correlation: createCorrelationId(randomBytes),
    });
}

/**
 * Creates the engine that synchronizes spaces with repositories. It depends on the other engines, because it plans imports and
 * exports.
 */
async function gitSyncEngine({ env }: CoreRuntime, coreOf: () => Core): Promise<Engine> {
  const [{ createGitSyncEngine }, { embeddedApi }, { createHostResolver }] = await Promise.all([
    import('./content-sync/git-sync/engine.ts'),
    import('./core/embedded.ts'),
    import('./client/host-resolver.ts'),
  ]);
  const api = embeddedApi(coreOf(), { kind: 'owner' });
  return createGitSyncEngine({ api, resolveHost: createHostResolver(env) });
}

/** Opens an empty core in memory for a trial run. It has no network access. `nextId` may choose the next id. */
export async function openCopy(
  runtime: Runtime,
  founder: CopyFounder,
  nextId: () => string | undefined,
): Promise<Copy & { readonly core: Core }> {
  const opened = await openCore(runtime, 'memory:', { create: true });
  const outgoing: Outgoing = ({ url }) =>
    Promise.reject(
      new Problem('unreachable', `${url} was not requested, because a rehearsal sends no requests.`),
    );
  const core: Core = {
    ...opened,
    newId: (prefix) => nextId() ?? opened.newId(prefix),
    outgoing,
    lookUpHost: undefined,
    lookUpText: undefined,
    scripts: undefined,
    env: {},
  };
  const [{ initializeStore }, { embeddedApi }] = await Promise.all([
    import('./resources/organizations/initialize.ts'),
    import('./core/embedded.ts'),
  ]);
  await initializeStore(core, founder);
  return {
    core,
    owner: embeddedApi(core, { kind: 'owner' }),
    as: (email) => embeddedApi(core, { kind: 'member', email }),
    close: () => core.store.close(),
  };
}

/** Returns the key for the secrets of a store, which is read or created at its first use. */
function secretKeyOf(runtime: CoreRuntime, storeUrl: string): SecretKey {
  let found: Promise<SecretKey> | undefined;
  const { cwd, env, randomBytes } = runtime;
  return async (use) => {
    found ??= import('./stores/secret-key.ts').then(({ secretKeyOf: keyOf }) =>
      keyOf(storeUrl, { cwd, env, randomBytes, sealingKeys: () => sealingKeysOf(runtime, storeUrl) }),
    );
    return (await found)(use);
  };
}

/** Returns the keys that encrypt the secrets of a store. */
async function sealingKeysOf({ cwd }: CoreRuntime, url: string): Promise<readonly string[]> {
  const [{ readStoreFacts }, { tables }] = await Promise.all([
    import('./stores/store-facts.ts'),
    import('./resources/tables.ts'),
  ]);
  return (await readStoreFacts({ url, tables, cwd })).keys;
}

/** Returns the client for outgoing requests, loaded at its first use. */
function outgoingOf(network: NetworkSettings): Outgoing {
  let opened: Promise<Outgoing> | undefined;
  return async (request) => {
    opened ??= import('./client/outgoing.ts').then(({ configuredOutgoing }) => configuredOutgoing(network));
    return (await opened)(request);
  };
}

/** Returns the DNS lookup of hosts, loaded at its first use. */
function lookUpHostOf({ env }: CoreRuntime): DnsLookup {
  return async (host) => {
    const [{ createDnsLookup, systemResolver }, { readAllowList }] = await Promise.all([
      import('./client/dns-lookup.ts'),
      import('./client/allow-list.ts'),
    ]);
    const allow = readAllowList(env['DOCSCTL_ALLOW_PRIVATE']);
    return createDnsLookup({ allow, resolver: await systemResolver() })(host);
  };
}

/** Looks up TXT records of hosts; loaded at its first use. */
const lookUpText: TextLookup = async (name) => {
  const { createTextLookup, systemResolver } = await import('./client/dns-lookup.ts');
  return createTextLookup(await systemResolver())(name);
};

/** Answers requests for sites; loaded at its first use. */
const loadedPublisher: Publisher = {
  list: async (request) => (await import('./publishing/publisher.ts')).publisher.list(request),
  read: async (request, paths) => (await import('./publishing/publisher.ts')).publisher.read(request, paths),
};

function addressCheckOf({ env }: CoreRuntime): AddressCheck {
  return async (url) => {
    const [{ checkOutgoingUrl }, { readAllowList }] = await Promise.all([
      import('./client/outgoing-target.ts'),
      import('./client/allow-list.ts'),
    ]);
    checkOutgoingUrl(url, readAllowList(env['DOCSCTL_ALLOW_PRIVATE']));
  };
}
