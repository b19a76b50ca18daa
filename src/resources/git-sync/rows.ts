import type { Static } from '../../contract/schema.ts';
import type { EffectiveRole } from '../../core/permissions.ts';
import type { MovedRedirect } from '../site-redirects/schemas.ts';
import type { Reason } from '../../errors/catalog.ts';
import type { ShownRepository } from '../../core/rows/spaces.ts';
import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/** The branch of a repository that a space is synchronized with. */
export interface GitTarget {
  /** The address, without credentials. */
  readonly url: string;
  /** The full name, such as refs/heads/main. */
  readonly ref: string;
  /** The folder that holds the documentation; empty for the whole repository. */
  readonly directory: string;
}

/** A commit and a revision that were equal after a run. */
export interface SyncPoint extends GitTarget {
  readonly commit: string;
  /** The revision with the content of the commit. */
  readonly revision: string;
  /** Whether all content of the revision is in the commit. */
  readonly isWhole: boolean;
}

/** The synchronization of a space. Its id is the id of the space. */
export interface GitSyncRow extends GitTarget {
  readonly id: string;
  readonly space: string;
  readonly organization: string;
  /** Whether someone with access to the store has set the address. Only then it may be a local path. */
  readonly isLocal: boolean;
  /** User name and password, encrypted. */
  readonly credentials?: string | undefined;
  readonly commitUrl?: string | undefined;
  readonly base?: SyncPoint | undefined;
  /** The result of an export, stored before the commit is pushed. If the branch has the commit, the export succeeded. */
  readonly sent?: SyncPoint | undefined;
  /** An import that waits in a change request. */
  readonly waiting?: (SyncPoint & { readonly changeRequest: string }) | undefined;
  readonly updatedAt: string;
}
export const gitSyncs = audited(table<GitSyncRow>()('git_syncs', { bySpace: { on: ['space'] } }), {
  type: 'git-sync',
  label: 'url',
  fields: ['space', 'url', 'ref', 'directory', 'commitUrl'],
  secrets: ['credentials'],
});

/** The former repository of a space, and what the space showed about it. */
export interface FormerRepository
  extends GitTarget, Pick<GitSyncRow, 'isLocal' | 'credentials' | 'commitUrl'> {
  readonly shown?: ShownRepository | undefined;
}

export interface GitRunChange {
  readonly direction: 'import' | 'export';
  readonly change: 'added' | 'changed' | 'deleted';
  readonly kind: 'page' | 'file' | 'text';
  readonly name: string;
}

export interface GitRunRow extends GitTarget {
  readonly id: string;
  readonly space: string;
  readonly organization: string;
  readonly direction: 'import' | 'export' | 'both';
  readonly isLocal: boolean;
  readonly credentials?: string | undefined;
  readonly commitUrl?: string | undefined;
  /** The side whose changes win in conflicts. */
  readonly take?: 'space' | 'repository';
  /** Whether the imported changes stay in an unmerged change request. */
  readonly isStandalone?: boolean | undefined;
  readonly message?: string | undefined;
  /** Whether redirects from old addresses on published sites are created. */
  readonly makesRedirects?: boolean;
  /** The repository before the run, if the run names another one. It is restored if nothing can be read from the other one. */
  readonly former?: FormerRepository | undefined;
  readonly requestedBy: string;
  /** Whether a member requested the run. The member must still have permission when it finishes. */
  readonly byMember?: true | undefined;
  /** The highest role of the token that requested the run; absent in rows of earlier versions. */
  readonly maxRole?: EffectiveRole;
  readonly queue: 'open' | 'done';
  /** The order of waiting runs. */
  readonly at: string;
  readonly state: 'waiting' | 'running' | 'success' | 'failure';
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly commit?: string;
  readonly revision?: string;
  /** The ID of the change request of the import. */
  readonly changeRequest?: string | undefined;
  readonly changeRequestNumber?: number | undefined;
  readonly changes: readonly GitRunChange[];
  readonly changeCount: number;
  /** Redirects from addresses on published sites that the import changed. Only the author of the run sees them. */
  readonly redirects?: readonly Static<typeof MovedRedirect>[];
  readonly warnings: readonly string[];
  readonly problem?:
    | { readonly reason: Reason; readonly message: string; readonly hint?: string | undefined }
    | undefined;
}
export const gitRuns = audited(
  table<GitRunRow>()('git_runs', {
    bySpace: { on: ['space'], by: ['createdAt'] },
    byQueue: { on: ['space', 'queue'], by: ['at'] },
  }),
  {
    type: 'git-sync-run',
    label: 'direction',
    fields: ['space', 'direction', 'url', 'ref', 'directory', 'take', 'state', 'commit', 'revision'],
    secrets: ['credentials'],
    progress: ['state'],
  },
);

/** The kind of jobs that execute the runs. Their subject is a space. */
export const gitSyncJobKind = 'git-sync';
