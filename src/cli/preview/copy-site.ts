import { copySpace } from '../../content-sync/copy-space.ts';
import type { ContentRef } from '../../content-sync/space-content.ts';
import { listSome, ownValue } from '../../contract/values.ts';
import type { Core } from '../../core/embedded.ts';
import { orUndefined, Problem } from '../../errors/problem.ts';
import { readLive } from '../../manifest/export/read-live.ts';
import type { Backend, Field, Kind, Located } from '../../manifest/kind.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import { IdQueue, Omissions, readOnlyApi } from '../../manifest/rehearse/copy.ts';
import { copyOrganization } from '../../manifest/rehearse/copy-organization.ts';
import { downloadSpec } from '../../resources/openapi/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { getSiteStructure } from '../../resources/sites/contract.ts';
import { me } from '../../resources/users/contract.ts';
import { spacesIn } from '../../resources/site-structure/spaces-in.ts';
import type { Session } from '../session/session.ts';

/** The fields of each kind that readers of a site can see. */
const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  space: ['title', 'emoji', 'icon', 'language'],
  openapi: ['slug', 'text'],
  site: [
    'title',
    'type',
    'basename',
    'agentsContext',
    'adaptive',
    'customization',
    'externalLinks',
    'redirects',
  ],
  'section-group': [],
  section: [],
  'site-space': [],
};

/** Maximum bytes of downloaded files of a site. */
const maxFileBytes = 256 * 1024 * 1024;

interface SiteCopy {
  readonly core: Core;
  /** Lines about things that could not be copied. */
  readonly omissions: readonly string[];
}

interface SiteCopyRequest {
  readonly organizationId: string;
  readonly siteId: string;
  readonly content?: ContentRef | undefined;
}

/** Copies a site of a server into memory, with the parts of its spaces that the user can read. IDs are kept. */
export async function copySite(
  session: Session,
  { organizationId, siteId, content }: SiteCopyRequest,
): Promise<SiteCopy> {
  const { signal } = session.runtime;
  const from = readOnlyApi(await session.api());
  const params = { organizationId };
  const { structure } = await from.call(getSiteStructure, { params: { ...params, siteId } });
  const spaceIds = new Set(spacesIn(structure));
  const omissions = new Omissions();
  const wanted = { space: spaceIds, site: new Set([siteId]) };
  const table = kinds.flatMap((kind) => tableEntry(kind, wanted, omissions));
  const live = await readLive({ api: from, organization: organizationId, table, concurrency: 4, signal });
  const { id: userId } = await from.call(me, {});
  const { title } = await from.call(getOrganization, { params });
  const ids = new IdQueue();
  const { openCopy } = await session.runtime.wiring();
  const founder = { title, email: 'preview@preview.invalid' };
  const copy = await ids.withIds([userId, organizationId], () =>
    openCopy(session.runtime, founder, () => ids.next()),
  );
  const to = copy.owner;
  let left = maxFileBytes;
  const copyContents = async (): Promise<void> => {
    for (const spaceId of spaceIds) {
      const ref = content?.spaceId === spaceId ? content : { spaceId };
      const { bytes, omitted } = await copySpace({ from, content: ref, to, ids, signal, maxFileBytes: left });
      left -= bytes;
      if (omitted.length > 0)
        omissions.add(
          'files',
          listSome([...omitted]),
          new Problem('too-large', 'The files of the site have more than 256 MiB.'),
        );
    }
  };
  await copyOrganization({
    live,
    table,
    from,
    to,
    organization: organizationId,
    ids,
    omissions,
    signal,
    copyContents,
  });
  // A job parses the copied texts of specifications.
  await to.work?.({ kind: 'openapi', signal });
  return {
    core: copy.core,
    omissions: omissions.all.map(
      ({ kind, names, why }) => `${kind}${names.length === 0 ? '' : ` ${listSome([...names])}`}: ${why}`,
    ),
  };
}

/** Limits a kind to the parts that a preview shows: no permissions, and only what the user may read. */
function tableEntry(
  kind: Kind,
  wanted: Readonly<Record<string, ReadonlySet<string>>>,
  omissions: Omissions,
): Kind[] {
  const names = ownValue(fieldsByKind, kind.name);
  if (names === undefined) return [];
  const ids = wanted[kind.name];
  const fields = Object.entries(kind.fields).filter(([name]) => names.length === 0 || names.includes(name));
  return [
    {
      ...kind,
      fields: Object.fromEntries(
        fields.map(([name, field]) => [name, readable(kind, name, field, omissions)]),
      ),
      list: async (backend, parent) => {
        const all = await omissions.unlessForbidden(kind.name, kind.list(backend, parent));
        return ids === undefined ? all : all.filter(({ id }) => ids.has(id));
      },
    },
  ];
}

function readable(kind: Kind, name: string, field: Field, omissions: Omissions): Field {
  // The copy does not fetch specifications, so it gets the text of a specification with a URL.
  const fetch = kind.name === 'openapi' && name === 'text' ? fetchLatest : field.fetch;
  if (fetch === undefined) return field;
  return {
    ...field,
    fetch: (...given) => omissions.unlessForbidden(`${kind.name}.${name}`, fetch(...given)),
  };
}

async function fetchLatest(backend: Backend, { id }: Located): Promise<unknown> {
  const params = { organizationId: backend.organization, specSlug: id, versionId: 'latest' };
  const file = await orUndefined(backend.call(downloadSpec, { params }), 'not-found');
  return file === undefined ? null : Buffer.from(file.bytes).toString();
}
