import type { Kind } from './kind.ts';
import type { ManifestNode } from './read/node.ts';
import type { SourceLocation } from './read/source-location.ts';

export interface Stated {
  readonly value: unknown;
  readonly at: SourceLocation;
  /** Variables that texts in it come from, by the text. */
  readonly from?: ReadonlyMap<string, readonly string[]>;
}

/** A resource as the file wants it: what it does not state is not managed. */
export interface DesiredResource {
  readonly address: string;
  readonly kind: Kind;
  readonly at: SourceLocation;
  /** The address of what it lies in. */
  readonly parent: string | undefined;
  readonly id: Stated | undefined;
  readonly protect: boolean | undefined;
  readonly fields: ReadonlyMap<string, Stated>;
  /** What lies in it, in the order of the file. */
  readonly inside: readonly DesiredResource[];
}

/** A place that the file manages: all of a kind within one parent. An empty one is managed and empty. */
export interface Scope {
  readonly kind: Kind;
  readonly parent: string | undefined;
  /** Whether the order in the file is the order of the live side. */
  readonly isList: boolean;
  readonly resources: readonly DesiredResource[];
}

/** What a manifest wants. */
export interface Desired {
  /** The organization it is for, where it says so. */
  readonly organization: Stated | undefined;
  /** In the order of the table of kinds. */
  readonly scopes: readonly Scope[];
  readonly byAddress: ReadonlyMap<string, DesiredResource>;
  readonly lookups: readonly Lookup[];
  /** Secrets by where they come from; nothing else holds them. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The fields at the top that are no kinds, checked. */
  readonly beside: ReadonlyMap<string, ManifestNode>;
}

/** `!lookup { title: Guide }`: the one live resource of a kind that has these values. */
export interface Lookup {
  readonly kind: Kind;
  readonly at: SourceLocation;
  readonly by: ReadonlyMap<string, unknown>;
}
