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

/** What a space shows of its git repository. */
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
 * The version of how the searched words of pages are found. With a higher one, the pages of all spaces are read again when they
 * are searched the next time.
 */
export const wordsVersion = 3;

export interface SpaceRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly emoji: string;
  readonly icon?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** The sites and sections that showed the space before its deletion; a section is null at the root of its site. */
  readonly formerSites?: readonly { readonly site: string; readonly section: string | null }[] | undefined;
  /** Lists show the live ones only. `removed`: it is deleted and cannot be restored; its rows are being removed. */
  readonly state: 'live' | 'deleted' | 'removed';
  readonly editMode: 'live' | 'locked';
  readonly mergeRules: MergeRulesValue;
  readonly parent: string | null;
  readonly position: string;
  readonly language?: string;
  /** What is shown of the git repository that the space is synchronized with. */
  readonly gitSync?: ShownRepository | undefined;
  readonly revision: string;
  /**
   * The state of the searched words while they lag behind the content. They are those of the revision `at` (null for
   * none), and are being changed to those of `to`; `after` is the last entry that is done. Absent: they are up to date.
   */
  readonly words?: { readonly at: string | null; readonly to?: string; readonly after?: string };
  /** The `wordsVersion` with which all pages were read. Absent in rows of earlier versions. */
  readonly wordsVersion?: number;
  /**
   * What the searched pages are made of that are generated from specifications, by the ID of the page of the type computed.
   * Absent where no page is.
   */
  readonly generated?: Readonly<Record<string, GeneratedFrom>> | undefined;
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
