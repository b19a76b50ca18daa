import type { Access, CheckedInput, HandlerOutput, Operation, Scope } from '../contract/operation.ts';
import type { Caller } from './callers.ts';
import type { NewId } from './ids.ts';
import type { AddressCheck } from './outgoing.ts';
import type { Power } from './permissions.ts';
import type { ChangeRequestRow } from './rows/change-requests.ts';
import type { CollectionRow, SpaceRow } from './rows/content.ts';
import type { OrganizationRow } from './rows/organizations.ts';
import type { RevisionRow } from './rows/revisions.ts';
import type { IntegrationRow } from './rows/integrations.ts';
import type { SiteRow } from './rows/sites.ts';
import type { Vault } from './secrets.ts';
import type { Reading, Writing } from './store.ts';

/** Where the caller acts, looked up by the operation's access before its handler runs. */
export interface Place {
  readonly organization: OrganizationRow;
  /** The caller's power over the organization. */
  readonly member: Power;
  /** The most that the caller's token may do. */
  readonly cap: Power;
  /** The power that counts here: over the space or collection where there is one, else `member`. */
  readonly power: Power;
}

interface Places {
  none: unknown;
  user: unknown;
  org: Place;
  collection: Place & { readonly collection: CollectionRow };
  space: Place & { readonly space: SpaceRow };
  'deleted-space': Place & { readonly space: SpaceRow };
  'change-request': Place & { readonly space: SpaceRow; readonly changeRequest: ChangeRequestRow };
  revision: Place & { readonly space: SpaceRow; readonly revision: RevisionRow };
  site: Place & { readonly site: SiteRow };
  /** `organization` is the one that publishes it. */
  integration: Place & { readonly integration: IntegrationRow };
}
type ScopeOf<A extends Access> = A extends `${infer S extends Scope}.${string}` ? S : never;

/** What a handler may use beside its transaction; all of it passed in, so that tests are exact. */
export interface Surroundings {
  /** The time of the call, one for all that it writes. */
  readonly now: string;
  readonly newId: NewId;
  readonly randomBytes: (count: number) => Uint8Array;
  /** Encrypts secrets before they are written. */
  readonly vault: Vault;
  /** Refuses what no outgoing request would reach, before it is kept. */
  readonly checkAddress: AddressCheck;
  /** Absolute URL of a path such as `/v1/spaces/spc_1`. */
  readonly url: (path: string) => string;
  readonly caller: Caller;
}

export type Context<O extends Operation> = Surroundings &
  Places[ScopeOf<O['access']>] & { readonly tx: O['method'] extends 'GET' ? Reading : Writing };

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
