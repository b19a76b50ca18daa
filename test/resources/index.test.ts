import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isOperation, type Operation } from '../../src/contract/operation.ts';
import { handlerOf, nouns } from '../../src/resources/index.ts';

interface Published {
  readonly paths: Record<string, Record<string, { responses?: Record<string, unknown> } | undefined>>;
}
const published = JSON.parse(
  readFileSync(new URL('../../node_modules/@gitbook/api/spec/openapi.json', import.meta.url), 'utf8'),
) as Published;

const words = [
  'spaces',
  'spaces comments',
  'spaces comments replies',
  'change-requests comments',
  'change-requests comments replies',
  'conversations',
  'conversations issues',
  'conversations clusters',
  'openapi',
  'saml',
  'sso',
  'integrations',
  'integrations installations',
  'integrations events',
  'translations',
  'search',
];

async function operationsOf(noun: string): Promise<Operation[]> {
  const found = nouns.find((one) => one.words === noun);
  return Object.values((await found!.contract()) as Record<string, unknown>).filter(isOperation);
}

/** Operations that the published specification does not have, with the reason. */
const ours: Record<string, string> = {
  'spaces.pdf-download': 'our own: the PDF that the address of spaces.pdf leads to',
  'conversations.analysis': 'our own: tells whether the analysis is up to date',
  'conversations.ingest-batch': 'our own: tells how many were new',
  'integrations.image': 'our own: what urls.icon and previewImages lead to',
  'integrations.signing-secret': 'our own: what events are signed with',
  'integrations.events.redeliver': 'our own: sends an event again that could not be delivered',
  'integrations.verify': 'our own: sets what is published as verified',
  'openapi.refresh': 'our own: fetches anew on demand',
  'openapi.download': 'our own: the text as a file',
  'openapi.latest-raw': 'only in the newer published specification',
  'openapi.published': 'our own: what urls.published leads to',
  'conversations.clusters.update': 'only in the API document',
};

it.each(words)(
  'the operations of "%s" have the published methods, paths and success statuses',
  async (noun) => {
    const operations = await operationsOf(noun);
    expect(operations.length).toBeGreaterThan(0);
    for (const operation of operations) {
      const { id, path, method, returns } = operation;
      const entry = published.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      if (id in ours) {
        expect(entry, `${id} is published by now`).toBeUndefined();
        continue;
      }
      const statuses = Object.keys(entry?.responses ?? {});
      expect(statuses, id).toContain(String(method === 'DELETE' ? 205 : returns.status));
      expect(id.replaceAll('.', ' ').startsWith(noun), id).toBe(true);
      expect(await handlerOf(operation), id).toBeTypeOf('function');
    }
  },
);
