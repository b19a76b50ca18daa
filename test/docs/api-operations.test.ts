import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isOperation } from '../../src/contract/operation.ts';
import { nouns } from '../../src/resources/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Path = Partial<Record<string, { readonly operationId?: string }>>;
const { version } = readJson<{ version: string }>('node_modules/@gitbook/api/package.json');
const { paths } = readJson<{ paths: Partial<Record<string, Path>> }>(
  'node_modules/@gitbook/api/spec/openapi.json',
);

/** Where docsctl differs from the published API, or where its versions differ from each other. */
const notes: Record<string, string> = {
  'spaces.transfer': 'Removed from newer versions of the published API.',
  'spaces.links': 'Removed from newer versions of the published API.',
  'change-requests.comments.delete': 'Answers 404 for a comment that does not exist (published: 204).',
  'change-requests.comments.replies.delete': 'Answers 404 for a reply that does not exist (published: 204).',
  'change-requests.list': 'Lists open change requests unless `status` says otherwise.',
  'openapi.replace': 'Answers 201 for a new specification, 200 for an existing one.',
  'orgs.ping': 'The claims are called `serviceVisitorClaims` (published: `gitbookVisitorClaims`).',
  'invites.delete': 'Answers 404 for an invite that does not exist (published: 204).',
  'sites.update': '`agentsContext` was removed from newer versions of the published API.',
  'conversations.clusters.update': 'Described in the text of the API, but in no published specification.',
};

const head = `# Operations of the API

docsctl answers the operations of the platform's management API, and some of its own. This page lists all of them with
their source; comments in the code refer to it. It is generated: \`npx vitest run test/docs -u\` renews it.

- **Command**: the words after \`docsctl\` are the operation's id with spaces for dots.
- **Request**: paths are relative to \`/v1\`.
- **Source**: the operationId in the published specification (\`@gitbook/api\` ${version}), or "own" where docsctl adds the
  operation.

## Conventions

1. Every resource has \`object\`, a fixed word for its type.
2. Times are ISO 8601 texts, ids are texts.
3. A list is \`{ next: { page }, count, items }\`. Send \`next.page\` as the query parameter \`page\` to get the next page.
4. Roles, from the highest to the lowest: \`admin\`, \`create\`, \`review\`, \`edit\`, \`comment\`, \`read\`. Each role includes those
   below it. Where a role may be \`null\`, \`null\` is a guest, or no default.
5. \`urls\` holds addresses. \`permissions\` holds booleans: what the caller may do.
6. A rich document is \`{ object: 'document', data, nodes, meta }\`; its nodes are blocks of a \`type\`, with nodes of their own.
7. A content reference names its \`kind\` (\`page\`, \`file\`, \`openapi\`) and the ids of what it refers to.
8. Merge rules are \`{ type: 'inherit' }\` or \`{ type: 'rules', rules }\`.
9. A user inside another resource has \`object\`, \`id\`, \`displayName\`, \`email\`, \`photoURL\` and \`urls.location\`.
10. A successful DELETE answers 205, or 204 where nothing was deleted.
`;

it('docs/api-operations.md lists every operation with its source', async () => {
  const used = new Set<string>();
  const sections: string[] = [];
  for (const { words, contract } of nouns) {
    const operations = Object.values(await contract()).filter(isOperation);
    if (operations.length === 0) continue;
    const rows = operations.map((operation) => {
      const { id, method, path } = operation;
      const published = path.replaceAll(/:(\w+)/g, '{$1}');
      const source = paths[published]?.[method.toLowerCase()]?.operationId;
      used.add(id);
      return `| \`${id.replaceAll('.', ' ')}\` | ${method} \`${published}\` | ${source ?? 'own'} | ${notes[id] ?? ''} |`;
    });
    sections.push(
      `## ${words}\n\n| command | request | source | note |\n|---|---|---|---|\n${rows.join('\n')}\n`,
    );
  }
  expect(Object.keys(notes).filter((id) => !used.has(id))).toEqual([]);
  expect(used.size).toBeGreaterThanOrEqual(147);
  await expect(`${head}\n${sections.join('\n')}`).toMatchFileSnapshot(`${root}docs/api-operations.md`);
});

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(root + path, 'utf8')) as T;
}
