import { requestCollection } from '../../content/collection/record-references.ts';
import { Problem } from '../../errors/problem.ts';
import type { Static } from '../../contract/schema.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { dequeue } from '../../core/jobs.ts';
import { listPage } from '../../core/listing.ts';
import { findOne, removeRows } from '../../core/store.ts';
import type * as contract from './contract.ts';
import {
  checkSlug,
  checkSource,
  versionFile,
  specJobKind,
  enqueueProcessing,
  sourceFields,
  specOf,
  versionOf,
  versionText,
} from './rules.ts';
import { shapeSpec, shapeVersion } from './shape.ts';
import { specs, specVersions, type SpecRow } from '../../content/generated/specification-rows.ts';

export const listSpecs: Handler<typeof contract.listSpecs> = (context, { query }) =>
  listPage(
    context.tx,
    { table: specs, index: 'byOrganization', equals: [context.organization.id] },
    query,
    (row) => shapeSpec(context, row),
  );

export const createSpec: Handler<typeof contract.createSpec> = async (context, { body }) => {
  const { tx, organization } = context;
  if ((await findOne(tx, specs, 'bySlug', [organization.id, body.slug])) !== undefined)
    throw new Problem('conflict', `The OpenAPI specification ${body.slug} already exists.`, {
      hint: `Replace its source with \`docsctl openapi replace ${body.slug} --text @FILE\`, or choose another slug.`,
    });
  await checkSource(context, body.source);
  return shapeSpec(context, await insertSpec(context, body.slug, body.source));
};

export const getSpec: Handler<typeof contract.getSpec> = async (context, { params }) =>
  shapeSpec(context, await specOf(context, params.specSlug));

export const replaceSpec: Handler<typeof contract.replaceSpec> = async (context, { params, body }) => {
  const { tx, organization, now } = context;
  await checkSource(context, body.source);
  const existing = await findOne(tx, specs, 'bySlug', [organization.id, params.specSlug]);
  if (existing === undefined) {
    checkSlug(params.specSlug);
    return shapeSpec(context, await insertSpec(context, params.specSlug, body.source));
  }
  const row = await tx.update(specs, existing.id, {
    ...(await sourceFields(tx, body.source)),
    updatedAt: now,
  });
  await enqueueProcessing(context, row);
  return shapeSpec(context, row);
};

export const updateSpec: Handler<typeof contract.updateSpec> = async (context, { params, body }) => {
  const { id } = await specOf(context, params.specSlug);
  return shapeSpec(
    context,
    await context.tx.update(specs, id, { visibility: body.visibility, updatedAt: context.now }),
  );
};

export const deleteSpec: Handler<typeof contract.deleteSpec> = async (context, { params }) => {
  const { tx, now } = context;
  const { id } = await specOf(context, params.specSlug);
  await removeRows(tx, specVersions, 'bySpec', [id]);
  await dequeue(tx, specJobKind, id);
  await tx.remove(specs, id);
  await requestCollection(tx, now);
};

export const refreshSpec: Handler<typeof contract.refreshSpec> = async (context, { params }) => {
  const { id, sourceURL, given } = await specOf(context, params.specSlug);
  if (sourceURL === undefined && given === undefined)
    throw new Problem(
      'conflict',
      `The specification ${params.specSlug} was given as text, so it cannot be fetched.`,
      { hint: `Publish the new text: \`docsctl openapi publish FILE --slug ${params.specSlug}\`` },
    );
  const row = await context.tx.update(specs, id, { state: 'pending' });
  await enqueueProcessing(context, row);
  return shapeSpec(context, row);
};

export const listSpecVersions: Handler<typeof contract.listSpecVersions> = async (
  context,
  { params, query },
) => {
  const { id, slug } = await specOf(context, params.specSlug);
  return listPage(
    context.tx,
    { table: specVersions, index: 'bySpec', equals: [id], order: 'desc' },
    query,
    (row) => shapeVersion(context, slug, row),
  );
};

export const getSpecVersion: Handler<typeof contract.getSpecVersion> = async (context, { params }) => {
  const spec = await specOf(context, params.specSlug);
  return shapeVersion(context, spec.slug, await versionOf(context.tx, spec, params.versionId));
};

export const downloadSpec: Handler<typeof contract.downloadSpec> = async (context, { params }) => {
  const spec = await specOf(context, params.specSlug);
  return versionFile(context.tx, spec.slug, await versionOf(context.tx, spec, params.versionId));
};

export const getLatestSpecVersion: Handler<typeof contract.getLatestSpecVersion> = async (
  context,
  { params },
) => {
  const spec = await specOf(context, params.specSlug);
  return shapeVersion(context, spec.slug, await versionOf(context.tx, spec, 'latest'));
};

export const getSpecContent: Handler<typeof contract.getSpecContent> = (context, { params }) =>
  contentOf(context, params.specSlug, params.versionId);

export const getLatestSpecContent: Handler<typeof contract.getLatestSpecContent> = (context, { params }) =>
  contentOf(context, params.specSlug, 'latest');

export const getLatestSpecText: Handler<typeof contract.getLatestSpecText> = async (context, { params }) => {
  const spec = await specOf(context, params.specSlug);
  const { text, format } = await versionText(context.tx, await versionOf(context.tx, spec, 'latest'));
  return { text, format };
};

async function contentOf(
  context: Context<typeof contract.getSpecContent>,
  specSlug: string,
  versionId: string,
): Promise<Static<typeof contract.OpenAPISpecContent>> {
  const { tx, organization, url } = context;
  const spec = await specOf(context, specSlug);
  const { id, slug, sourceURL, visibility, lastVersion } = spec;
  const version = await versionOf(tx, spec, versionId);
  const { text, format } = await versionText(tx, version);
  const { parseSource } = await import('../../specification/parse-source.ts');
  const parsed = parseSource(text);
  if ('errors' in parsed) throw new Error(`The stored version ${version.id} cannot be read anymore.`);
  const isLatest = version.id === lastVersion;
  const fetched = isLatest ? sourceURL : undefined;
  return {
    filesystem: { [`${slug}.${format}`]: parsed.value },
    urls: {
      source:
        fetched ?? url(`/v1/orgs/${organization.id}/openapi/${slug}/versions/${version.id}/content/download`),
      public: visibility === 'public' && isLatest ? (fetched ?? url(`/v1/openapi/${id}`)) : null,
    },
  };
}

export const getPublishedSpec: Handler<typeof contract.getPublishedSpec> = async ({ tx }, { params }) => {
  const spec = await tx.get(specs, params.specId);
  // A private specification must be indistinguishable from a missing one.
  if (spec?.visibility !== 'public')
    throw new Problem('not-found', `There is no public OpenAPI specification "${params.specId}".`, {
      hint: 'To publish a specification of your organization, run `docsctl openapi update SLUG --visibility public`.',
    });
  return versionFile(tx, spec.slug, await versionOf(tx, spec, 'latest'));
};

async function insertSpec(
  context: Parameters<Handler<typeof contract.createSpec>>[0],
  slug: string,
  source: { url?: string; text?: string },
): Promise<SpecRow> {
  const { tx, organization, now, newId } = context;
  const row: SpecRow = {
    id: newId('spec'),
    organization: organization.id,
    slug,
    visibility: 'private',
    createdAt: now,
    updatedAt: now,
    ...(await sourceFields(tx, source)),
  };
  await tx.insert(specs, row);
  await enqueueProcessing(context, row);
  return row;
}
