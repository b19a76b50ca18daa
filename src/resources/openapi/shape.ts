import type { OutputOf } from '../../contract/operation.ts';
import { can } from '../../core/permissions.ts';
import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import { defined } from '../../contract/values.ts';
import type * as contract from './contract.ts';
import type { SpecRow, SpecVersionRow } from '../../content/generated/specification-rows.ts';

type SpecContext = ResourceScope & UrlContext;

/** Returns a specification in the form of the API. */
export function shapeSpec(
  { url, organization, role }: SpecContext,
  row: SpecRow,
): OutputOf<typeof contract.getSpec> {
  const {
    id,
    slug,
    sourceURL,
    state,
    visibility,
    lastVersion,
    lastProcessedAt,
    errorCode,
    errors,
    createdAt,
    updatedAt,
  } = row;
  const isShared = visibility === 'public' && lastVersion !== undefined;
  return {
    object: 'openapi-spec',
    id,
    createdAt,
    updatedAt,
    slug,
    ...defined({ sourceURL }),
    processingState: state,
    visibility,
    ...defined({ lastVersion, lastProcessedAt }),
    // Without an error code, the errors are mistakes of a specification that was published nevertheless.
    ...defined({
      lastProcessErrorCode: errorCode,
      lastProcessedErrors:
        errors?.map((error) => ({ ...error })) ?? (errorCode === undefined ? undefined : []),
    }),
    permissions: { view: true, edit: can(role, 'create') },
    urls: {
      location: url(`/v1/orgs/${organization.id}/openapi/${slug}`),
      app: url(`/o/${organization.id}/openapi/${slug}`),
      ...(isShared ? { published: url(`/v1/openapi/${id}`) } : {}),
    },
  };
}

/** Returns one version of a specification in the form of the API. */
export function shapeVersion(
  { url, organization }: SpecContext,
  slug: string,
  row: SpecVersionRow,
): OutputOf<typeof contract.getSpecVersion> {
  const { id, createdAt, bytes, format, title, version, operations, webhooks = 0, schemas } = row;
  return {
    object: 'openapi-spec-version',
    id,
    createdAt,
    format,
    title,
    version,
    operations,
    webhooks,
    schemas,
    bytes,
    urls: { location: url(`/v1/orgs/${organization.id}/openapi/${slug}/versions/${id}`) },
  };
}
