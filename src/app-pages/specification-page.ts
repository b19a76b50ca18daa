import { isRecord, ownValue, recordOf } from '../contract/values.ts';
import { empty, markup, type Content } from '../render/markup.ts';
import { getLatestSpecContent, getSpec, listSpecVersions } from '../resources/openapi/contract.ts';
import { shownState } from '../resources/openapi/shown-state.ts';
import { toText } from '../specification/specification-tree.ts';
import { facts, outsideLink, pager, pageQuery, rows, section, timeOf } from './page-parts.ts';
import { readOptional, type PageMaker } from './page-view.ts';
import { organizationTrail } from './trails.ts';

const maxOperations = 500;
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The page of an OpenAPI specification: its state, its operations and its versions. */
export const specificationPage: PageMaker = async (context, { organizationId = '', specSlug = '' }) => {
  const { api, href } = context;
  const trail = await organizationTrail(context, organizationId);
  const params = { organizationId, specSlug };
  const spec = await api.call(getSpec, { params });
  const content = await readOptional(context, getLatestSpecContent, { params });
  const versions = await api.call(listSpecVersions, { params, query: pageQuery(context, 'versions') });
  const root = recordOf(Object.values(content?.filesystem ?? {})[0]);
  const info = recordOf(root['info']);
  const download = (version: string) =>
    href(`/o/~download/orgs/${organizationId}/openapi/${specSlug}/versions/${version}/content/download`);
  const operations = operationsOf(root);
  return {
    kind: 'OpenAPI specification',
    title: spec.slug,
    trail,
    links: spec.lastVersion === undefined ? [] : [{ title: 'Download', href: download(spec.lastVersion) }],
    body: [
      facts([
        ['Title', toText(info['title'])],
        ['Version', toText(info['version'])],
        ['Visibility', spec.visibility],
        ['Source', outsideLink(spec.sourceURL)],
        ['Processing', shownState(spec)],
        ['Processed', spec.lastProcessedAt === undefined ? undefined : timeOf(spec.lastProcessedAt)],
      ]),
      spec.lastProcessedErrors === undefined || spec.lastProcessedErrors.length === 0
        ? empty
        : section(
            'Errors',
            rows(
              spec.lastProcessedErrors.map(({ message }) => ({ title: message })),
              '',
            ),
          ),
      operations.length === 0
        ? empty
        : section('Operations', operationTable(operations.slice(0, maxOperations)), operations.length),
      section(
        'Versions',
        [
          rows(
            versions.items.map(({ id, createdAt }) => ({
              title: id,
              href: download(id),
              note: timeOf(createdAt),
            })),
            'There is no version yet.',
          ),
          pager(context, 'versions', versions),
        ],
        versions.count,
      ),
    ],
  };
};

interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

function operationsOf(root: Readonly<Record<string, unknown>>): OperationEntry[] {
  const paths = recordOf(root['paths']);
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = ownValue(recordOf(item), method);
      return isRecord(operation) ? [{ method, path, summary: toText(operation['summary']) }] : [];
    }),
  );
}

function operationTable(operations: readonly OperationEntry[]): Content {
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Operations"><table class="plain"><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Summary</th></tr></thead><tbody>${operations.map(({ method, path, summary }) => markup`<tr><td><code>${method.toUpperCase()}</code></td><td><code>${path}</code></td><td>${summary}</td></tr>`)}</tbody></table></div>`;
}
