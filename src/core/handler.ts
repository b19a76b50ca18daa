import type { Access, CheckedInput, HandlerOutput, Operation, Scope } from '../contract/operation.ts';
import type { Caller } from './callers.ts';
import type { NewId } from './ids.ts';
import type { AddressCheck } from './outgoing.ts';
import type { EffectiveRole } from './permissions.ts';
import type { ChangeRequestRow } from './rows/change-requests.ts';
import type { CollectionRow, SpaceRow } from './rows/spaces.ts';
import type { OrganizationRow } from './rows/organizations.ts';
import type { RevisionRow } from './rows/revisions.ts';
import type { IntegrationRow } from './rows/integrations.ts';
import type { SiteRow } from './rows/sites.ts';
import type { Vault } from './secrets.ts';
import type { ReadTransaction, WriteTransaction } from './store.ts';

/** The organization that an operation acts on, with the caller's roles there. `authorize` finds it before the handler runs. */
export interface ResourceScope {
  readonly organization: OrganizationRow;
  /** The caller's role in the organization. */
  readonly memberRole: EffectiveRole;
  /** The highest role that the caller's token may use. */
  readonly maxRole: EffectiveRole;
  /** The role that counts for this operation: over the space or collection where it has one, else `memberRole`; at most `maxRole`. */
  readonly role: EffectiveRole;
}

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
  /** `organization` is the one that publishes it. */
  integration: ResourceScope & { readonly integration: IntegrationRow };
}
type ScopeOf<A extends Access> = A extends `${infer S extends Scope}.${string}` ? S : never;

/** What every handler gets beside its transaction. All of it is passed in, so that tests are exact. */
export interface RequestContext {
  /** The time of the call, one for all that it writes. */
  readonly now: string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Encrypts secrets before they are written. */
  readonly vault: Vault;
  /** Refuses an address that outgoing requests may not reach, before it is stored. */
  readonly checkAddress: AddressCheck;
  /** Absolute URL of a path such as `/v1/spaces/spc_1`. */
  readonly url: (path: string) => string;
  readonly caller: Caller;
}

/** What shapes need that hold addresses of the API. */
export type UrlContext = Pick<RequestContext, 'url'>;

/** What functions need that read and answer. */
export type ReadContext = UrlContext & { readonly tx: ReadTransaction };

/** What functions need that change rows in the name of a caller. */
export type WriteContext = Pick<RequestContext, 'now' | 'newId' | 'caller'> & {
  readonly tx: WriteTransaction;
};

/** What functions need that change rows and record when. */
export type ChangeContext = Pick<WriteContext, 'tx' | 'now'>;

/** What the handler of an operation gets: the scope that its access names, and a transaction that may write unless it is a GET. */
export type Context<O extends Operation> = RequestContext &
  Scopes[ScopeOf<O['access']>] & {
    readonly tx: O['method'] extends 'GET' ? ReadTransaction : WriteTransaction;
  };

/** The logic of one operation. It does no I/O but through `context.tx`. */
export type Handler<O extends Operation> = (
  context: Context<O>,
  input: CheckedInput<O>,
) => Promise<HandlerOutput<O>>;

/** Every operation of a contract module needs a handler of its name: a missing one does not compile. */
export type HandlersFor<C> = {
  readonly [K in keyof C as C[K] extends Operation ? K : never]: C[K] extends Operation
    ? Handler<C[K]>
    : never;
};
