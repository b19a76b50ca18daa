import { isRecord } from '../../contract/values.ts';
import { RecentMap } from '../../core/recent-map.ts';
import { collectRows, findOne, type ReadTransaction } from '../../core/store.ts';
import { readBlob } from '../blobs.ts';
import { specs, specVersions, type SpecVersionRow } from './specification-rows.ts';

export interface OpenedSpecification {
  readonly slug: string;
  readonly root: Record<string, unknown>;
  readonly createdAt: string;
}

/** Cached specifications, by the hashes of their texts. */
const recent = new RecentMap<{ readonly root: Record<string, unknown> | undefined }>(4);

/** Opens the latest version of a specification of an organization; undefined if there is no valid one. */
export async function openSpecification(
  view: ReadTransaction,
  organization: string,
  slug: string,
): Promise<OpenedSpecification | undefined> {
  const version = await latestVersion(view, organization, slug);
  const root = version && (await readSpecification(view, version.text));
  return version === undefined || root === undefined
    ? undefined
    : { slug, root, createdAt: version.createdAt };
}

/** Returns the hash of the text of the latest version of a specification; null if there is none. */
export async function textOfSpecification(
  view: ReadTransaction,
  organization: string,
  slug: string,
): Promise<string | null> {
  return (await latestVersion(view, organization, slug))?.text ?? null;
}

/** Returns the slugs and the latest versions of all specifications of an organization. A page may show any of them. */
export async function latestVersions(
  view: ReadTransaction,
  organization: string,
): Promise<readonly (readonly [slug: string, version: string | undefined])[]> {
  const rows = await collectRows(view, specs, 'byOrganization', [organization]);
  return rows.map(({ slug, lastVersion }) => [slug, lastVersion]);
}

/** Whether specifications still have the same texts, given the hashes that `textOfSpecification` returned before. */
export async function haveSameTexts(
  view: ReadTransaction,
  organization: string,
  texts: ReadonlyMap<string, string | null>,
): Promise<boolean> {
  for (const [slug, text] of texts)
    if ((await textOfSpecification(view, organization, slug)) !== text) return false;
  return true;
}

/** Returns the latest version of a specification of an organization, if there is one. */
export async function latestVersion(
  view: ReadTransaction,
  organization: string,
  slug: string,
): Promise<SpecVersionRow | undefined> {
  const spec = await findOne(view, specs, 'bySlug', [organization, slug]);
  return spec?.lastVersion === undefined ? undefined : view.get(specVersions, spec.lastVersion);
}

/** Parses a specification and caches it. It was checked when it became a version. */
async function readSpecification(
  view: ReadTransaction,
  hash: string,
): Promise<Record<string, unknown> | undefined> {
  const known = recent.get(hash);
  if (known !== undefined) return known.root;
  const { parseSource } = await import('../../specification/parse-source.ts');
  const source = parseSource(await readBlob(view, hash));
  const root = 'value' in source && isRecord(source.value) ? source.value : undefined;
  recent.set(hash, { root });
  return root;
}
