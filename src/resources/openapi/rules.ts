import { violationsOf } from '../../contract/check.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import type { ResourceScope, RequestContext } from '../../core/handler.ts';
import { enqueue } from '../../core/jobs.ts';
import { findOne, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { putText, readBlob } from '../../content/blobs.ts';
import { isJsonText } from '../../specification/code-samples.ts';
import { Slug } from './contract.ts';
import {
  specs,
  specVersions,
  type SpecRow,
  type SpecVersionRow,
} from '../../content/generated/specification-rows.ts';

/** The kind of jobs that fetch and read specifications. */
export const specJobKind = 'openapi';

type SpecContext = ResourceScope & Pick<RequestContext, 'now'>;

/** Returns the specification with a slug. @throws Problem(not-found) */
export async function specOf(
  { tx, organization }: SpecContext & { tx: ReadTransaction },
  slug: string,
): Promise<SpecRow> {
  const row = await findOne(tx, specs, 'bySlug', [organization.id, slug]);
  if (row === undefined)
    throw new Problem('not-found', `There is no OpenAPI specification "${slug}".`, {
      hint: 'To see the specifications, run `docsctl openapi list`.',
    });
  return row;
}

/** Checks the slug of a new specification, because a path parameter may contain any text. @throws Problem(invalid-input) */
export function checkSlug(slug: string): void {
  if (violationsOf(Slug, slug, '').length > 0)
    throw invalid(
      '/specSlug',
      `The slug "${slug}" is not valid: it must have 1 to 100 letters and digits, with single hyphens between them.`,
      'Choose a slug such as billing-api.',
    );
}

type Source = { readonly url?: string | undefined; readonly text?: string | undefined };

/** Checks that requests may reach the address of a source. @throws Problem(invalid-input), Problem(forbidden) */
export async function checkSource(
  { checkAddress }: Pick<RequestContext, 'checkAddress'>,
  { url }: Source,
): Promise<void> {
  if (url === undefined) return;
  if (!/^https?:/i.test(url))
    throw invalid(
      '/body/source/url',
      `The source "${url}" must start with http:// or https://.`,
      'Use an address that starts with https://, or send the text of the specification.',
    );
  await checkAddress(url);
}

/** Returns the fields of a row for a new source. The last version is kept until the new text is processed. */
export async function sourceFields(
  tx: WriteTransaction,
  { url, text }: Source,
): Promise<Pick<SpecRow, 'sourceURL' | 'given' | 'state'>> {
  return {
    sourceURL: url,
    given: text === undefined ? undefined : await putText(tx, text),
    state: 'pending',
  };
}

/** Enqueues the processing of a specification. */
export function enqueueProcessing(
  { tx, organization, now }: SpecContext & { tx: WriteTransaction },
  { id }: SpecRow,
): Promise<void> {
  return enqueue(tx, now, { kind: specJobKind, organization: organization.id, subject: id });
}

/** Returns a version of a specification by its ID or "latest". @throws Problem(not-found) */
export async function versionOf(tx: ReadTransaction, spec: SpecRow, id: string): Promise<SpecVersionRow> {
  const wanted = id === 'latest' ? spec.lastVersion : id;
  const row = wanted === undefined ? undefined : await tx.get(specVersions, wanted);
  if (row?.spec !== spec.id)
    throw new Problem(
      'not-found',
      `The specification ${spec.slug} has no version ${spec.lastVersion === undefined ? 'yet' : id}.`,
      {
        hint:
          spec.lastVersion === undefined
            ? `It gets its first version when it is processed without errors. To see its state, run \`docsctl openapi get ${spec.slug}\`.`
            : `To see its versions, run \`docsctl openapi versions ${spec.slug}\`.`,
      },
    );
  return row;
}

/** Returns the text of a version as a file. */
export async function versionFile(
  tx: ReadTransaction,
  slug: string,
  version: SpecVersionRow,
): Promise<{ name: string; contentType: string; bytes: Uint8Array }> {
  const { text: content, format } = await versionText(tx, version);
  return {
    name: `${slug}.${format}`,
    contentType: `application/${format}`,
    bytes: Buffer.from(content),
  };
}

/** Reads the text of a version, and detects its format. */
export async function versionText(
  tx: ReadTransaction,
  { text: hash }: SpecVersionRow,
): Promise<{ text: string; format: 'json' | 'yaml' }> {
  const text = await readBlob(tx, hash);
  return { text, format: /^\s*\{/.test(text) && isJsonText(text) ? 'json' : 'yaml' };
}
