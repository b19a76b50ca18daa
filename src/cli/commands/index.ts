import type { NounHelp } from '../../contract/operation.ts';
import type { CompositeCommand } from '../composite-command.ts';

/** The help of first words that are not nouns of the API. */
export const compositeNouns: Readonly<Record<string, NounHelp & { summary: string }>> = {
  pages: {
    summary: 'List, read and edit the pages of a space',
    description:
      'The pages of a space form a tree. Every command that changes pages puts the change into a new change request, or into the one given with --change-request. With --merge, the command also merges the change request.',
    examples: [
      'docsctl pages list Guide',
      'docsctl pages show Guide quickstart',
      'docsctl pages edit Guide quickstart --file intro.md --merge',
    ],
  },
  profiles: {
    summary: 'Manage saved settings',
    description:
      'A profile keeps a server with its token, or a store, under a name. Profiles are kept in the settings file, which only its owner can read.',
    examples: ['docsctl profiles list', 'docsctl profiles use staging'],
  },
  config: {
    summary: 'Show and save settings',
    description:
      'Settings such as the organization and the output format come from options, environment variables, a .docsctl.yaml and a profile. Options override environment variables, which override .docsctl.yaml, which overrides the profile.',
    examples: ['docsctl config set org Acme', 'docsctl config explain'],
  },
  runs: {
    summary: 'List, show and undo runs of apply',
    description:
      'Every `docsctl apply` that changes something is a run. Its journal beside the state file records each change with the previous values, so you can show and undo the run.',
    examples: ['docsctl runs list', 'docsctl runs show', 'docsctl runs undo --dry-run'],
  },
  state: {
    summary: 'Show or rebuild the state file of a manifest',
    description:
      'The state file (docsctl.state.json, formerly docsctl.lock.json) records which resources a manifest owns and the values that the last apply set. Commit it together with the manifest.',
    examples: ['docsctl state list', 'docsctl state rebuild --dry-run'],
  },
  store: {
    summary: 'Back up, restore and inspect the store',
    description:
      'A store keeps everything: organizations, content, accounts and settings. It is a SQLite file, a JSON file or a PostgreSQL database. --store or DOCSCTL_STORE names it. A backup is one file, which you can restore into any kind of store.',
    examples: ['docsctl store info', 'docsctl store backup today.ndjson.gz --verify'],
  },
  schema: {
    summary: 'Print JSON Schemas for editors',
    description: 'Editors use a JSON Schema to complete and check files as you type.',
    examples: ['docsctl schema manifest'],
  },
};

type Entry = readonly [words: string, summary: string, load: CompositeCommand['load'], format?: string];

const entries: readonly Entry[] = [
  ['init', 'Create a store with its first organization, administrator and token', () => import('./init.ts')],
  ['serve', 'Serve the API of a store over HTTP', () => import('./serve.ts')],
  ['login', 'Save a server and token, or a store, as a profile', () => import('./login.ts')],
  ['logout', 'Delete the saved token of a profile', () => import('./logout.ts')],
  ['whoami', 'Show your user, organization, role and server', () => import('./whoami.ts')],
  ['profiles list', 'List the profiles', () => import('./profiles/list.ts')],
  ['profiles use', 'Choose the profile that commands use', () => import('./profiles/use.ts')],
  ['profiles delete', 'Delete profiles', () => import('./profiles/delete.ts')],
  ['config list', 'List the settings that are set', () => import('./config/list.ts')],
  ['config get', 'Print the values of settings', () => import('./config/get.ts')],
  ['config set', 'Save a setting in a profile or .docsctl.yaml', () => import('./config/set.ts')],
  ['config unset', 'Remove saved settings', () => import('./config/unset.ts')],
  ['config explain', 'Show all settings and where they come from', () => import('./config/explain.ts')],
  [
    'orgs create',
    'Create an organization with its administrator and a token',
    () => import('./orgs/create.ts'),
  ],
  [
    'spaces import',
    'Import a folder of Markdown or a git repository into a space',
    () => import('./spaces/import.ts'),
  ],
  [
    'spaces files add',
    'Add files to a space or replace one, through a change request',
    () => import('./spaces/files-add.ts'),
  ],
  ['spaces export', 'Export a space to a folder of Markdown', () => import('./spaces/export.ts')],
  [
    'spaces git-sync',
    'Synchronize a space with a branch of a git repository',
    () => import('./spaces/git-sync.ts'),
  ],
  [
    'pages list',
    'List the pages of a space as a tree, without generated pages',
    () => import('./pages/list.ts'),
  ],
  ['pages create', 'Create pages, through a change request', () => import('./pages/create.ts')],
  ['pages copy', 'Copy pages within a space or to another one', () => import('./pages/copy.ts')],
  ['pages move', 'Move pages within a space or to another one', () => import('./pages/move.ts')],
  [
    'pages rename',
    'Change the title or path of a page, through a change request',
    () => import('./pages/rename.ts'),
  ],
  ['pages delete', 'Delete pages, through a change request', () => import('./pages/delete.ts')],
  ['pages show', 'Show the texts of pages', () => import('./pages/show.ts')],
  ['pages edit', 'Edit a page in your editor, through a change request', () => import('./pages/edit.ts')],
  ['revisions diff', 'Compare two revisions line by line', () => import('./revisions/diff.ts')],
  [
    'revisions restore',
    'Put the content of an earlier revision back, through a change request',
    () => import('./revisions/restore.ts'),
  ],
  [
    'change-requests merge',
    'Merge a change request into its space',
    () => import('./change-requests/merge.ts'),
  ],
  [
    'change-requests sync',
    'Update a change request with the current content of its space',
    () => import('./change-requests/sync.ts'),
  ],
  [
    'change-requests list',
    'List the change requests of a space or of the whole organization',
    () => import('./change-requests/list.ts'),
  ],
  ['change-requests pdf', 'Save a change request as a PDF', () => import('./change-requests/pdf.ts')],
  ['spaces pdf', 'Save a space as a PDF', () => import('./spaces/pdf.ts')],
  [
    'change-requests diff',
    'Show the changed lines of a change request',
    () => import('./change-requests/diff.ts'),
  ],
  ['spaces links', 'List the links in spaces and find the broken ones', () => import('./spaces/links.ts')],
  ['sites build', 'Write a site as static files that any host can serve', () => import('./sites/build.ts')],
  [
    'sites check',
    'Check the pages of sites: links, titles, redirects, accessibility',
    () => import('./sites/check.ts'),
  ],
  ['sites audience', 'Show which visitors see which parts of a site', () => import('./sites/audience.ts')],
  ['sites preview', 'Show a site on this machine as readers will see it', () => import('./sites/preview.ts')],
  [
    'sites published',
    'Show a published site, or what one visitor sees of it',
    () => import('./sites/published.ts'),
  ],
  [
    'sites structure',
    'Show the sections, groups and spaces of a site as a tree',
    () => import('./sites/structure.ts'),
  ],
  ...(['space', 'collection', 'site'] as const).flatMap((noun): Entry[] => [
    [
      `${noun}s permissions list`,
      `List the teams and members that were given a role on a ${noun}`,
      async () => (await import('./permissions/list.ts')).listPermissionsOf(noun),
    ],
    [
      `${noun}s permissions remove`,
      `Remove the roles of members and teams on a ${noun}`,
      async () => (await import('./permissions/remove.ts')).removePermissionsOf(noun),
    ],
  ]),
  [
    'sites redirects import',
    'Create redirects of a site from a CSV file',
    () => import('./sites/redirects-import.ts'),
  ],
  [
    'sites redirects check',
    'Find redirects that form loops, lead to other redirects, or lead nowhere',
    () => import('./sites/redirects-check.ts'),
  ],
  [
    'custom-hostnames verify',
    'Check the DNS records of custom hostnames, and wait for the results',
    () => import('./custom-hostnames/verify.ts'),
  ],
  [
    'email-domains verify',
    'Look for the DNS records of email domains, and wait for the results',
    () => import('./email-domains/verify.ts'),
  ],
  [
    'access explain',
    'Show the role of a member on a space, collection or site, and where it comes from',
    () => import('./access/explain.ts'),
  ],
  ['access report', 'Review the access of all members', () => import('./access/report.ts')],
  ['audit list', 'List the changes in an organization', () => import('./audit/list.ts')],
  ['audit verify', 'Verify that no recorded audit event was changed', () => import('./audit/verify.ts')],
  ['audit export', 'Write audit events with their details as NDJSON', () => import('./audit/export.ts')],
  ['tokens get', 'Show a token, without its secret', () => import('./tokens/get.ts')],
  ['tokens rotate', 'Replace tokens with new ones', () => import('./tokens/rotate.ts')],
  ['invites get', 'Show an invite link', () => import('./invites/get.ts')],
  ['teams members get', 'Show a member of a team', () => import('./teams/get-member.ts')],
  ['saml create', 'Add a SAML provider', () => import('./saml/create.ts')],
  ['saml get', 'Show a SAML provider', () => import('./saml/get.ts')],
  ['saml update', 'Change a SAML provider', () => import('./saml/update.ts')],
  [
    'conversations ingest',
    'Ingest conversations from CSV, NDJSON, JSON or YAML files',
    () => import('./conversations/ingest.ts'),
  ],
  [
    'conversations clusters show',
    'Show what clusters are about, and their latest issues',
    () => import('./conversations/clusters-show.ts'),
  ],
  [
    'conversations clusters draft',
    'Open a change request that drafts an answer to a cluster',
    () => import('./conversations/clusters-draft.ts'),
  ],
  [
    'validate',
    'Check a manifest and folders of Markdown without a store or server',
    () => import('./validate.ts'),
  ],
  ['plan', 'Show what apply would change', () => import('./plan.ts'), 'markdown'],
  ['rehearse', 'Try a manifest on a copy of the organization in memory', () => import('./rehearse.ts')],
  ['apply', 'Change an organization to match a manifest', () => import('./apply.ts')],
  ['runs list', 'List the runs of apply', () => import('./runs-list.ts')],
  ['runs show', 'Show the changes of runs', () => import('./runs-show.ts')],
  ['runs undo', 'Undo a run', () => import('./runs-undo.ts')],
  ['export', 'Write an organization as a manifest', () => import('./export.ts')],
  ['drift', 'Show what changed since the last apply', () => import('./drift.ts'), 'markdown'],
  ['adopt', 'Bind a block of a manifest to an existing resource', () => import('./adopt.ts')],
  ['forget', 'Stop managing resources without deleting them', () => import('./forget.ts')],
  ['state list', 'List the resources that a manifest owns', () => import('./state-list.ts')],
  ['state rebuild', 'Rebuild the state file from the existing resources', () => import('./state-rebuild.ts')],
  ['schema manifest', 'Print the JSON Schema of manifests for editors', () => import('./schema-manifest.ts')],
  [
    'integrations publish',
    'Publish an integration, or a new version of it',
    () => import('./integrations/publish.ts'),
  ],
  [
    'integrations dev',
    'Send the events of an integration to a tunnel, and show them',
    () => import('./integrations/dev.ts'),
  ],
  [
    'integrations events tail',
    'Show the events of an integration as they occur',
    () => import('./integrations/events-tail.ts'),
  ],
  ['openapi validate', 'Check the files of OpenAPI specifications', () => import('./openapi/validate.ts')],
  [
    'openapi publish',
    'Add or update OpenAPI specifications from files or addresses',
    () => import('./openapi/publish.ts'),
  ],
  [
    'openapi refresh',
    'Fetch and process an OpenAPI specification again',
    () => import('./openapi/refresh.ts'),
  ],
  ['openapi diff', 'Compare two versions of an OpenAPI specification', () => import('./openapi/diff.ts')],
  ['openapi pages', 'Write Markdown pages from an OpenAPI specification', () => import('./openapi/pages.ts')],
  [
    'translations create',
    'Translate a space into another language',
    () => import('./translations/create.ts'),
  ],
  [
    'translations update',
    'Change the instructions of a translation',
    () => import('./translations/update.ts'),
  ],
  ['translations run', 'Run a translation again', () => import('./translations/run.ts')],
  ['jobs run', 'Run the queued jobs of an embedded store', () => import('./jobs/run.ts')],
  ['open', 'Open a space, site or page in the browser, or print its address', () => import('./open.ts')],
  ['mcp', 'Serve commands as tools to an AI assistant (MCP)', () => import('./mcp.ts')],
  ['api', 'Send a request to the API', () => import('./api.ts')],
  ['explain', 'Show the fields of a resource or of a request', () => import('./explain.ts')],
  ['history', 'List what commands on this machine changed', () => import('./history.ts')],
  ['commands', 'List all commands, for people or as JSON', () => import('./commands.ts')],
  ['completion', 'Print the completion script for a shell', () => import('./completion.ts')],
  ['store backup', 'Write all rows of the store to a file', () => import('./store/backup.ts')],
  ['store restore', 'Put the rows of a backup into a store', () => import('./store/restore.ts')],
  ['store migrate', 'Move a store to another place or kind', () => import('./store/migrate.ts')],
  ['store check', 'Check the store for damage', () => import('./store/check.ts')],
  [
    'store move-blobs',
    'Move the bytes of large files to a folder, an object store or the store',
    () => import('./store/move-blobs.ts'),
  ],
  [
    'store info',
    'Show the size, the tables and the last backup of the store',
    () => import('./store/info.ts'),
  ],
  ['doctor', 'Check the settings, the store or server, and this machine', () => import('./doctor.ts')],
];

/** All composite commands. */
export const compositeCommands: readonly CompositeCommand[] = entries.map(
  ([words, summary, load, format]) => ({
    words,
    summary,
    load,
    ...(format !== undefined && { format }),
  }),
);
