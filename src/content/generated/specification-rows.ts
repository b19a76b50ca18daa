import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

export interface SpecRow {
  readonly id: string;
  readonly organization: string;
  readonly slug: string;
  /** The address that it is fetched from; absent if it was sent as text. */
  readonly sourceURL?: string | undefined;
  /** The hash of a text that was sent but is not processed yet. */
  readonly given?: string | undefined;
  readonly state: 'pending' | 'progress' | 'complete';
  readonly visibility: 'private' | 'public';
  readonly lastVersion?: string;
  readonly lastProcessedAt?: string;
  readonly errorCode?: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' | undefined;
  readonly errors?: readonly { readonly message: string; readonly code?: string }[] | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const specs = audited(
  table<SpecRow>()('openapi_specs', {
    byOrganization: { on: ['organization'], by: ['slug'] },
    bySlug: { on: ['organization', 'slug'], unique: true },
  }),
  {
    type: 'openapi-spec',
    label: 'slug',
    fields: ['slug', 'sourceURL', 'visibility', 'state', 'lastVersion'],
    sizes: ['given'],
    progress: ['state', 'given'],
  },
);

/** A version of a specification. If a new text equals the last version, no version is added. */
export interface SpecVersionRow {
  readonly id: string;
  readonly organization: string;
  readonly spec: string;
  /** Hash of its text. */
  readonly text: string;
  readonly bytes: number;
  readonly format: string;
  readonly title: string;
  readonly version: string;
  readonly operations: number;
  /** Absent in versions that were stored before webhooks were counted. */
  readonly webhooks?: number | undefined;
  readonly schemas: number;
  readonly createdAt: string;
}

export const specVersions = audited(
  table<SpecVersionRow>()('openapi_versions', {
    bySpec: { on: ['spec'], by: ['createdAt'] },
  }),
  {
    type: 'openapi-spec-version',
    label: 'title',
    fields: ['spec', 'title', 'version', 'format', 'bytes', 'operations'],
    secondary: true,
  },
);
