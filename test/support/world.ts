import { readAllowList } from '../../src/client/allow-list.ts';
import { checkOutgoingUrl } from '../../src/client/outgoing-target.ts';
import { embeddedApi, type Core } from '../../src/core/embedded.ts';
import { createToken, hashToken, type Credential } from '../../src/core/callers.ts';
import { createIds } from '../../src/core/ids.ts';
import {
  memberId,
  members,
  organizations,
  settings,
  tokens,
  users,
} from '../../src/core/rows/organizations.ts';
import { createVault } from '../../src/core/secrets.ts';
import { tables } from '../../src/resources/tables.ts';
import { roles, type Role } from '../../src/contract/shapes.ts';
import type { ResolveHost } from '../../src/content-sync/git-sync/connect.ts';
import type { Api } from '../../src/contract/api.ts';
import { engineOf } from '../../src/resources/engines.ts';
import { handlerOf, readerOf } from '../../src/resources/index.ts';
import type { Outgoing } from '../../src/core/outgoing.ts';
import { Problem } from '../../src/errors/problem.ts';
import { publisher } from '../../src/publishing/publisher.ts';
import type { Store } from '../../src/core/store.ts';
import { openStore } from '../../src/stores/index.ts';

export type Who = Role | 'guest' | 'outsider' | 'nobody' | 'owner';

export interface World {
  readonly core: Core;
  /** The organization "Acme", with one member of each role. The outsider administers "Other". */
  readonly org: string;
  readonly otherOrg: string;
  readonly user: (who: Role | 'guest' | 'outsider') => string;
  readonly token: (who: Role | 'guest' | 'outsider') => string;
  readonly credential: (who: Who) => Credential;
  readonly as: (who: Who) => Api;
  /** Advances the clock. */
  readonly pass: (milliseconds: number) => void;
}

/** The environment of the world. By default there is no network. */
export interface Outside {
  /** The base URL of sites, if a server shows them. */
  readonly sitesUrl?: string;
  readonly outgoing?: Outgoing;
  readonly env?: Core['env'];
  readonly engines?: Core['engineOf'];
  /** Resolves the hosts of Git repositories. By default there are none. */
  readonly resolveHost?: ResolveHost;
  /** Runs scripts of integrations. By default there is no runtime. */
  readonly scripts?: (core: () => Core) => Core['scripts'];
}

const noNetwork: Outgoing = ({ url }) =>
  Promise.reject(new Problem('unreachable', `There is no network in this test, and ${url} was asked for.`));

const noHost: ResolveHost = (url) =>
  Promise.reject(new Problem('unreachable', `There is no network in this test, and ${url} was asked for.`));

/** Opens the store of a world. DOCSCTL_TEST_STORE=postgres runs tests of worlds in memory on PostgreSQL instead. */
async function openWorldStore(url: string): Promise<Store> {
  if (url !== 'memory:' || process.env['DOCSCTL_TEST_STORE'] !== 'postgres')
    return openStore(url, { tables, create: url !== 'memory:' });
  const { afterTest, emptyPostgres } = await import('./postgres.ts');
  const store = await openStore(await emptyPostgres('&connections=3'), { tables });
  afterTest(() => store.close());
  return store;
}

/** Creates a small world. Its clock advances one second per call, and its IDs and tokens are the same in every run. */
export async function createWorld(
  storeUrl = 'memory:',
  {
    outgoing = noNetwork,
    env = {},
    engines,
    resolveHost = noHost,
    scripts,
    sitesUrl = 'http://localhost:8080',
  }: Outside = {},
): Promise<World> {
  let time = Date.parse('2026-01-05T09:00:00.000Z');
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const clock = () => (time += 1000);
  const store = await openWorldStore(storeUrl);
  const core: Core = {
    store,
    clock,
    newId: createIds(clock, random),
    randomBytes,
    publicUrl: 'http://localhost:8080',
    sitesUrl,
    handlerOf,
    readerOf,
    engineOf:
      engines ??
      (async (kind) => {
        if (kind !== 'git-sync') return engineOf(kind);
        const { createGitSyncEngine } = await import('../../src/content-sync/git-sync/engine.ts');
        return createGitSyncEngine({ api: embeddedApi(core, { kind: 'owner' }), resolveHost });
      }),
    outgoing,
    publisher,
    checkAddress: async (url) => checkOutgoingUrl(url, readAllowList(env['DOCSCTL_ALLOW_PRIVATE'])),
    vault: createVault(async () => new Uint8Array(32).fill(7), randomBytes),
    env,
    scripts: scripts?.(() => core),
  };
  const people = [...roles, 'guest', 'outsider'] as const;
  const secrets = new Map(people.map((who) => [who, createToken(randomBytes)]));
  await store.write(async (tx) => {
    const createdAt = new Date(time).toISOString();
    const base = {
      createdAt,
      emailDomains: [],
      defaultRole: null,
      defaultContent: null,
      logo: null,
      sso: false,
      ai: true,
      inviteLinks: true,
      mergeRules: { type: 'none' } as const,
    };
    await tx.insert(organizations, { id: 'org_acme', title: 'Acme', hostname: 'acme', ...base });
    await tx.insert(organizations, { id: 'org_other', title: 'Other', hostname: 'other', ...base });
    for (const who of people) {
      const organization = who === 'outsider' ? 'org_other' : 'org_acme';
      const role = who === 'outsider' ? 'admin' : who === 'guest' ? null : who;
      const user = {
        id: `usr_${who}`,
        email: `${who}@acme.test`,
        displayName: who[0]!.toUpperCase() + who.slice(1),
        createdAt,
      };
      await tx.insert(users, user);
      await tx.insert(members, {
        id: memberId(organization, user.id),
        organization,
        user: user.id,
        role,
        disabled: false,
        joinedAt: createdAt,
        lastSeenAt: null,
        sso: false,
        displayName: user.displayName,
        email: user.email,
        teams: 0,
      });
      await tx.insert(tokens, {
        id: `tok_${who}`,
        hash: hashToken(secrets.get(who)!),
        user: user.id,
        organization: null,
        role: 'admin',
        name: null,
        operator: who === 'admin',
        createdAt,
        expiresAt: null,
      });
    }
    await tx.insert(settings, { id: 'store', administrator: 'usr_admin' });
  });
  const credential = (who: Who): Credential =>
    who === 'owner'
      ? { kind: 'owner' }
      : who === 'nobody'
        ? { kind: 'none' }
        : { kind: 'token', token: secrets.get(who)! };
  return {
    core,
    org: 'org_acme',
    otherOrg: 'org_other',
    user: (who) => `usr_${who}`,
    token: (who) => secrets.get(who)!,
    credential,
    as: (who) => embeddedApi(core, credential(who)),
    pass: (milliseconds) => void (time += milliseconds),
  };
}
