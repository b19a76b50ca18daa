import type { Access, CheckedInput, HandlerOutput, Operation, Scope } from '../contract/operation.ts';
import type { OnProgress } from '../contract/api.ts';
import type { Caller } from './callers.ts';
import type { NewId } from './ids.ts';
import type { DnsLookup, TextLookup } from './dns.ts';
import type { AddressCheck, Outgoing } from './outgoing.ts';
import type { EffectiveRole, Subject } from './permissions.ts';
import type { ChangeRequestRow } from './rows/change-requests.ts';
import type { CollectionRow, SpaceRow } from './rows/spaces.ts';
import type { OrganizationRow } from './rows/organizations.ts';
import type { RevisionRow } from './rows/revisions.ts';
import type { IntegrationRow } from './rows/integrations.ts';
import type { CustomHostnameRow } from './rows/custom-hostnames.ts';
import type { SiteRow } from './rows/sites.ts';
import type { Publisher } from './publisher.ts';
import type { ScriptRuntime } from './scripts.ts';
import type { Vault } from './secrets.ts';
import type { ReadTransaction, WriteOptions, WriteTransaction } from './store.ts';

/**
 * The organization that an operation acts on, with the caller's roles there. `authorize` finds it before the handler
 * runs.
 */
export interface ResourceScope extends Subject {
  readonly organization: OrganizationRow;
  /**
   * The role that the operation requires: on the space, collection or site if the operation has one, else `memberRole`. It is
   * never above `maxRole`.
   */
  readonly role: EffectiveRole;
}

/** What `authorize` adds to the context for each scope. */
interface Scopes {
  none: unknown;
  user: unknown;
  org: ResourceScope;
  collection: ResourceScope & { readonly collection: CollectionRow };
  space: ResourceScope & { readonly space: SpaceRow };
  'deleted-space': ResourceScope & { readonly space: SpaceRow };
  'change-request': ResourceScope & { readonly space: SpaceRow; readonly changeRequest: ChangeRequestRow };
  revision: ResourceScope & { readonly space: SpaceRow; readonly revision: RevisionRow };
  site: ResourceScope & { readonly site: SiteRow };
  /** The site is the one that the hostname belongs to. */
  hostname: ResourceScope & { readonly site: SiteRow; readonly customHostname: CustomHostnameRow };
  /** `organization` is the publisher of the integration. */
  integration: ResourceScope & { readonly integration: IntegrationRow };
}
type ScopeOf<A extends Access> = A extends `${infer S extends Scope}.${string}` ? S : never;

/** What every handler gets besides its transaction and scope. It includes the time and random bytes, so that tests are exact. */
export interface RequestContext {
  /** The ISO time of the call. Everything that the call writes has this time. */
  readonly now: string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Encrypts secrets before they are written. */
  readonly vault: Vault;
  /** Refuses an address that outgoing requests may not reach, before it is stored. */
  readonly checkAddress: AddressCheck;
  /** Answers for sites, as visitors get them. */
  readonly publisher: Publisher;
  /** Returns the absolute URL of a path such as `/v1/spaces/spc_1`. */
  readonly url: (path: string) => string;
  /** Whether no server shows the sites of the store. Then URLs of sites that `url` returns lead nowhere. */
  readonly hidesSites?: boolean;
  readonly caller: Caller;
  /** Receives the progress of the work. Only commands in this process show it; a server ignores it. */
  readonly onProgress: OnProgress;
  /** Interrupts the work. Its changes are rolled back. */
  readonly signal?: AbortSignal | undefined;
  /** Call this before work that blocks the thread for long. It throws HeavyCallError if others wait for this thread. */
  readonly onHeavy?: (() => void) | undefined;
}

/** The context of functions that put URLs of the API into answers. */
export type UrlContext = Pick<RequestContext, 'url' | 'hidesSites'>;

/** The context of functions that read rows and turn them into answers. */
export type ReadContext = UrlContext & { readonly tx: ReadTransaction };

/** The context of functions that change rows on behalf of a caller. */
export type WriteContext = Pick<RequestContext, 'now' | 'newId' | 'caller'> & {
  readonly tx: WriteTransaction;
};

/** The context of functions that change rows and record the time. */
export type ChangeContext = Pick<WriteContext, 'tx' | 'now'>;

/**
 * The context of the handler of an operation: its scope, and a transaction, which can only read if the operation is a
 * GET.
 */
export type Context<O extends Operation> = RequestContext &
  Scopes[ScopeOf<O['access']>] & {
    readonly tx: O['method'] extends 'GET' ? ReadTransaction : WriteTransaction;
  };

/**
 * Returns a context with added or replaced values. Unlike a spread, it does not read the members of the context, because reading
 * the time, for example, prevents the answer from being cached.
 */
export function extendContext<C extends object, V extends object>(
  context: C,
  values: V,
): Omit<C, keyof V> & V {
  return Object.assign(Object.create(context) as C, values);
}

/** The logic of one operation. Its only I/O is `context.tx`. */
export type Handler<O extends Operation> = (
  context: Context<O>,
  input: CheckedInput<O>,
) => Promise<HandlerOutput<O>>;

/** Returns a handler that is loaded with its first call: most commands that load its noun do not need it. */
export function loadedHandler<O extends Operation>(load: () => Promise<Handler<O>>): Handler<O> {
  return async (context, input) => (await load())(context, input);
}

/** The services for work outside of a transaction: for engines, and for handlers that defer their answer. */
export interface Services {
  readonly read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (tx: WriteTransaction) => Promise<T>, options?: WriteOptions) => Promise<T>;
  readonly outgoing: Outgoing;
  /** Looks up a host. Absent: name servers are not asked. */
  readonly lookUpHost?: DnsLookup | undefined;
  /** Looks up TXT records. Absent: name servers are not asked. */
  readonly lookUpText?: TextLookup | undefined;
  /** Runs scripts of integrations. Absent: scripts do not run. */
  readonly scripts?: ScriptRuntime | undefined;
  readonly vault: Vault;
  readonly now: () => string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly url: (path: string) => string;
  /** Aborted when nobody waits any longer. */
  readonly signal?: AbortSignal;
}

/** An answer that a handler makes after its transaction, because it needs more than the store. */
export class Deferred<T> {
  readonly make: (services: Services) => Promise<T>;
  constructor(make: (services: Services) => Promise<T>) {
    this.make = make;
  }
}

/** The logic of an operation whose answer needs more than its transaction. */
export type DeferringHandler<O extends Operation> = (
  context: Context<O>,
  input: CheckedInput<O>,
) => Promise<Deferred<HandlerOutput<O>>>;

/** The handlers of a contract module, by the names of its operations. A missing handler does not compile. */
export type HandlersFor<C> = {
  readonly [K in keyof C as C[K] extends Operation ? K : never]: C[K] extends Operation
    ? Handler<C[K]> | DeferringHandler<C[K]>
    : never;
};
