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

/** The version whose operations `newer-operations.txt` lists, without those of the version above. */
const newerVersion = '0.202.0';
const newer = readFileSync(`${root}test/samples/newer-operations.txt`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', id = ''] = line.split(' ');
    return { method, path, id };
  });

/** The operations without a command, and the command to use instead. */
const withoutCommand: Record<string, string> = {
  'users.me': 'docsctl whoami',
  'users.token': 'docsctl whoami',
  'users.sign-in-links': 'docsctl open',
  'change-requests.pdf-download': 'docsctl change-requests pdf',
  'spaces.pdf-download': 'docsctl spaces pdf',
  'conversations.ingest-batch': 'docsctl conversations ingest',
  'integrations.render-compressed': 'docsctl integrations render',
};

/** Notes on operations that differ from the published API, or between its versions. */
const notes: Record<string, string> = {
  'spaces.transfer': 'Newer versions of the published API do not have this operation.',
  'spaces.links': 'Newer versions of the published API do not have this operation.',
  'change-requests.comments.delete':
    'If the comment does not exist, docsctl responds with 404. The published API responds with 204.',
  'change-requests.comments.replies.delete':
    'If the reply does not exist, docsctl responds with 404. The published API responds with 204.',
  'change-requests.list': 'Without `status` in the query, the response lists only open change requests.',
  'members.list': 'With `activity=true`, docsctl adds the field `lastActiveAt`.',
  'teams.list':
    'With `owner`, the response lists only teams that the member owns, even for an administrator, who can manage all teams.',
  'openapi.replace':
    'docsctl always responds with 200. The published API responds with 201 for a new specification.',
  'orgs.ping':
    'In the published API, the field for claims of the member is `gitbookVisitorClaims`. In docsctl, it is `serviceVisitorClaims`, and always absent.',
  'invites.delete':
    'If the invite does not exist, docsctl responds with 404. The published API responds with 204.',
  'conversations.clusters.list':
    'The published API can also sort by the numbers of tasks, and filter by `status`.',
  'sites.update': 'Newer versions of the published API do not have the field `agentsContext`.',
  'custom-hostnames.get':
    'The target is always a site. In the published API, it can also be an organization. docsctl adds the fields `dns`, `state`, `proof` and `problem`, and to `get`, `revalidate` and `delete` the query parameter `organization`.',
};

const head = `# Operations of the API

docsctl has most operations of a published API for documentation platforms, \`@gitbook/api\`, and adds some operations. This page
lists all operations that docsctl has, and says for each whether it is in the published API. Comments in the source code refer to
this page. To update this generated page, run \`npx vitest run test/docs -u\`.

- **Command**: the command without \`docsctl\`. With dots instead of spaces, this is the ID of the operation: the ID of
  \`orgs list\` is \`orgs.list\`. If the operation has no command of this name, the note says so.
- **Request**: the method and the path, relative to \`/v1\`.
- **Source**: the operationId in the published specification, which is the package \`@gitbook/api\` in version ${version}.
  "(newer)" means that the specification contains the operation only in version ${newerVersion}. "own" means that docsctl adds the
  operation.
- **Note**: where docsctl or a newer version of the specification differs.

## Conventions

1. Most resources have the field \`object\`, which contains the name of their type. Pages, files, reusable contents, links,
   search results, permissions, and the installations and events of integrations do not have it.
2. Times are strings in ISO 8601 format, and IDs are strings.
3. A list is \`{ next: { page }, count, items }\`. Send \`next.page\` as the query parameter \`page\` to get the next page.
4. Roles, from the highest to the lowest: \`admin\`, \`create\`, \`review\`, \`edit\`, \`comment\`, \`read\`. Each role includes those
   below it. If a role can be \`null\`, \`null\` stands for a guest, or for no default role.
5. \`urls\` contains addresses. \`permissions\` contains booleans that say what the caller may do.
6. Formatted text is a document: \`{ object: 'document', data, nodes, meta }\`. The items of \`nodes\` are blocks. Each block has a
   \`type\`, and can contain \`nodes\` of its own. docsctl never adds \`meta\`.
7. A content reference names its \`kind\`, such as \`page\`, \`file\` or \`openapi\`, and the IDs of the resources that it refers to.
8. Merge rules are \`{ type: 'inherit' }\`, \`{ type: 'none' }\` or \`{ type: 'rules', rules }\`. docsctl has all rules of the published API
   except \`custom\`, which contains an expression.
9. A user inside another resource has \`object\`, \`id\`, \`displayName\`, \`email\`, \`photoURL\` and \`urls.location\`.
10. The response to a \`DELETE\` request has the status 204, or 404 if there was nothing to delete. In the published API, the
    statuses are 205 and 204.
`;

/**
 * Published operations that docsctl does not have: the start of their paths after /v1, and the reason. The first
 * match counts.
 */
const leftOut: readonly (readonly [paths: RegExp, what: string, reason: string])[] = [
  [
    /\/sites\/\{siteId\}\/(context-|scans|findings|stats|topics|questions|question-stats|answers|channels|agent-settings)/,
    'The agent of a site: its channels and settings, its records, findings, topics, questions and answers',
    'A language model of the platform writes the records, findings and answers. `docsctl conversations` finds topics in support conversations.',
  ],
  [
    /agent-feedback|agents\/feedback|\/agent\/conversations|\/change-requests\/\{changeRequestId\}\/conversations/,
    'Conversations with an agent, and feedback of agents',
    'Agents of the platform hold these conversations. docsctl runs no agent.',
  ],
  [/styleguide/, 'Style guides', 'A language model of the platform checks text against style guides.'],
  [
    /billing\/|notifications\/token/,
    'Billing, and notifications in browsers',
    'docsctl sends no invoices and no notifications.',
  ],
  [
    /\/search\/prewarm$/,
    'Preparing the search of a site',
    'docsctl updates the search index itself, so nothing has to be prepared.',
  ],
  [
    /^\/git\/installations|\/git\/installations$/,
    'Accounts at GitHub and GitLab that the platform synchronizes with',
    '`docsctl spaces git-sync` works with any Git repository, without an installation at a provider.',
  ],
  [
    /\/sites\/\{siteId\}\/template$/,
    'Templates of sites',
    'The templates belong to the platform. A manifest describes whole sites: `docsctl apply`.',
  ],
  [
    /\/(ask|ai|agents-setup|agent-tasks)(\/|$)/,
    'Questions to an assistant, and tasks of agents',
    'A language model of the platform answers the questions. docsctl answers no questions.',
  ],
  [
    /\/imports(\/|$)/,
    'Imports of websites and of uploaded documents by the platform',
    'The published schema knows two sources: a website, and documents in the upload service of the platform. To make pages from these sources, the platform guesses which part of a website is content, and by default rewrites the result with a language model. docsctl fetches no websites and guesses nothing. `docsctl spaces import` reads folders of Markdown, and `docsctl spaces git-sync` reads Git repositories.',
  ],
  [
    /\/git\/legacy-installation$/,
    'The removal of an old kind of Git installation',
    'docsctl needs no installation at a Git provider: `docsctl spaces git-sync` takes the address of a repository.',
  ],
  [
    /\/(fonts|ads|mcp-servers|preview|storage)(\/|$)/,
    'The hosting of sites: custom fonts, previews, advertisements, MCP servers, uploads',
    'These operations configure the servers of the platform. `docsctl serve --sites-port` shows sites without such settings, and `docsctl sites preview` shows a site before it is published.',
  ],
  [
    /\/sites\/\{siteId\}\/search$/,
    'Search in a site',
    'Visitors search a published site in their browser, or at `~gitbook/search`. `docsctl spaces search` searches one space, and `docsctl search` searches all spaces of an organization.',
  ],
  [
    /\/embed$/,
    'Embeds of other pages',
    'These operations fetch pages from other servers to show their titles and pictures, which docsctl does not do.',
  ],
  [
    /^\/urls/,
    'The content at an address',
    'The website of the platform asks these operations what to show at an address. `docsctl serve` shows its own pages and sites itself, and `docsctl open` prints the address of a space, site or page.',
  ],
  [
    /^\/$/,
    'The release of the API and its date',
    'docsctl packages contain no build date. The OpenAPI document of the server has the version.',
  ],
];

/** The published operations that docsctl does not have, by reason. */
function describeLeftOut(known: ReadonlySet<string>): string {
  const missing = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods ?? {}).flatMap((one) =>
      one?.operationId === undefined || known.has(one.operationId) ? [] : [{ path, id: one.operationId }],
    ),
  );
  missing.push(...newer.filter(({ id }) => !known.has(id)));
  const published = Object.values(paths)
    .flatMap((methods) => Object.values(methods ?? {}).filter((one) => one?.operationId !== undefined))
    .concat(newer.map(({ id }) => ({ operationId: id })));
  const groups = new Map<string, string[]>();
  for (const { path, id } of missing) {
    const [, what, reason] = leftOut.find(([pattern]) => pattern.test(path)) ?? [];
    expect(reason, `${id} (${path}) is left out without a reason`).toBeDefined();
    const row = `| ${what} | ${reason}`;
    groups.set(row, [...(groups.get(row) ?? []), id]);
  }
  const rows = [...groups].map(([row, ids]) => `${row} | ${ids.toSorted().join(', ')} |`);
  return `## Left out

Of the ${published.length} published operations, docsctl has ${published.length - missing.length}. This table lists the others, with
the reasons. \`docsctl api METHOD PATH\` sends a request for such an operation to a server that has the operation.

| what | why not | operations |
|---|---|---|
${rows.join('\n')}
`;
}

it('docs/api-operations.md lists every operation with its source', async () => {
  const used = new Set<string>();
  const sources = new Set<string>();
  const sections: string[] = [];
  for (const { words, contract } of nouns) {
    const operations = Object.values(await contract()).filter(isOperation);
    if (operations.length === 0) continue;
    const rows = operations.map((operation) => {
      const { id, method, path } = operation;
      const published = path.replaceAll(/:(\w+)/g, '{$1}');
      const known = paths[published]?.[method.toLowerCase()]?.operationId;
      const added = newer.find((one) => one.method === method && isSamePath(one.path, published))?.id;
      const source = known ?? added;
      used.add(id);
      if (source !== undefined) sources.add(source);
      return `| \`${id.replaceAll('.', ' ')}\` | ${method} \`${published}\` | ${known ?? (added === undefined ? 'own' : `${added} (newer)`)} | ${[withoutCommand[id] && `No command: use \`${withoutCommand[id]}\`.`, notes[id]].filter(Boolean).join(' ')} |`;
    });
    sections.push(
      `## ${words}\n\n| command | request | source | note |\n|---|---|---|---|\n${rows.join('\n')}\n`,
    );
  }
  expect(Object.keys(notes).filter((id) => !used.has(id))).toEqual([]);
  expect(used.size).toBeGreaterThanOrEqual(147);
  await expect(`${head}\n${sections.join('\n')}\n${describeLeftOut(sources)}`).toMatchFileSnapshot(
    `${root}docs/api-operations.md`,
  );
});

/** Whether two paths differ only in the names of their parameters. */
function isSamePath(one: string, other: string): boolean {
  const names = /\{\w+\}/g;
  return one.replaceAll(names, '{}') === other.replaceAll(names, '{}');
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(root + path, 'utf8')) as T;
}
