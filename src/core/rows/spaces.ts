import type { GeneratedFrom } from './revisions.ts';
import type { MergeRulesValue, Role } from '../../contract/shapes.ts';
import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** A collection of spaces and other collections. */
export interface CollectionRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly description?: string;
  readonly parent: string | null;
  readonly defaultLevel: Role | 'inherit' | null;
  /** The fractional index of its position among the collections and spaces of its parent. */
  readonly position: string;
  readonly createdAt: string;
}
export const collections = audited(
  table<CollectionRow>()('collections', {
    byOrganization: { on: ['organization'], by: ['parent', 'position'] },
    byParent: { on: ['organization', 'parent'], by: ['position'] },
  }),
  {
    type: 'collection',
    label: 'title',
    fields: ['organization', 'title', 'parent', 'defaultLevel', 'position'],
    sizes: ['description'],
  },
);

/** The public data about the git repository of a space. */
export interface ShownRepository {
  readonly repoName?: string;
  readonly installationProvider?: 'github' | 'gitlab' | 'github-legacy';
  /** The integration that synchronizes the space. */
  readonly integration?: string;
  /** The address of the folder on the website of the repository. */
  readonly url?: string;
  readonly updatedAt: string;
}

/**
 * The version of the code that finds the searched words of pages. After an increase, the next search in a space reads all its
 * pages again.
 */
export const wordsVersion = 5;

export interface FormerSite {
  readonly site: string;
  /** Null at the root of the site. */
  readonly section: string | null;
  /** The title of the section, and the group that contained it. */
  readonly title?: string | undefined;
  readonly group?: string | null | undefined;
}

export interface SpaceRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly emoji: string;
  readonly icon?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** The sites and sections that showed the space before its deletion. */
  readonly formerSites?: readonly FormerSite[] | undefined;
  /** Lists show only live spaces. `removed`: the space cannot be restored, and its rows are being removed. */
  readonly state: 'live' | 'deleted' | 'removed';
  readonly editMode: 'live' | 'locked';
  readonly mergeRules: MergeRulesValue;
  readonly parent: string | null;
  readonly position: string;
  readonly language?: string;
  /** The git repository that the space is synchronized with. */
  readonly gitSync?: ShownRepository | undefined;
  readonly revision: string;
  /**
   * The state of the searched words while they lag behind the content. The index has the words of the revision `at` (null: no
   * words) and is being changed to the revision `to`; `after` is the last entry that is done. Absent: the index is up to date.
   */
  readonly words?: { readonly at: string | null; readonly to?: string; readonly after?: string };
  /** The `wordsVersion` when all pages were read last. Absent in rows of earlier versions. */
  readonly wordsVersion?: number;
  /**
   * The specifications that searched pages were generated from, by the ID of the page of the type computed. Absent if there are
   * none.
   */
  readonly generated?: Readonly<Record<string, GeneratedFrom>> | undefined;
  /**
   * The specifications that OpenAPI blocks of searched pages show: the hash of the indexed text of each (null: none), by slug.
   * Absent if there are none.
   */
  readonly described?: Readonly<Record<string, string | null>> | undefined;
  /**
   * The IDs of the searched pages that include other pages; true if there are many. Absent if there are none among the
   * pages that have been read.
   */
  readonly including?: readonly string[] | true | undefined;
  readonly defaultLevel: Role | 'inherit' | null;
  readonly comments: number;
  readonly changeRequests: number;
  readonly changeRequestsOpen: number;
  readonly changeRequestsDraft: number;
}
export const spaces = audited(
  table<SpaceRow>()('spaces', {
    byOrganization: { on: ['organization', 'state'], by: ['parent', 'position'] },
    byParent: { on: ['organization', 'parent', 'state'], by: ['position'] },
    byDeletion: { on: ['state'], by: ['deletedAt'], small: true },
  }),
  {
    type: 'space',
    label: 'title',
    fields: [
      'organization',
      'title',
      'emoji',
      'icon',
      'state',
      'editMode',
      'mergeRules',
      'parent',
      'position',
      'language',
      'gitSync',
      'revision',
      'defaultLevel',
    ],
  },
);
