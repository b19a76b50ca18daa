import type { CompositeCommand } from '../composite-command.ts';

/** Summaries of first words that have no noun of the API. */
export const nounSummaries: Readonly<Record<string, string>> = {
  profiles: 'Settings that were saved under a name',
  config: 'The settings in force',
  runs: 'What was applied: the journals of the last runs',
  pages: 'Pages, as a person reads and edits them',
  lock: 'What a manifest owns',
  schema: 'JSON Schemas of files, for editors',
};

function command(
  words: string,
  summary: string,
  load: CompositeCommand['load'],
  format?: string,
): CompositeCommand {
  return format === undefined ? { words, summary, load } : { words, summary, load, format };
}

/** The table of contents: every command that is written by hand. */
export const compositeCommands: readonly CompositeCommand[] = [
  command(
    'init',
    'Make a store with its first organization, administrator and token',
    () => import('./init.ts'),
  ),
  command('serve', 'Serve the API over HTTP', () => import('./serve.ts')),
  command('login', 'Save a server and token, or a store, as a profile', () => import('./login.ts')),
  command('logout', 'Forget the token of a profile', () => import('./logout.ts')),
  command('whoami', 'Show who you are and where', () => import('./whoami.ts')),
  command('profiles list', 'List the profiles', () => import('./profiles/list.ts')),
  command('profiles use', 'Choose the profile that is used', () => import('./profiles/use.ts')),
  command('profiles delete', 'Delete a profile', () => import('./profiles/delete.ts')),
  command(
    'config explain',
    'Show every setting and where it comes from',
    () => import('./config/explain.ts'),
  ),
  command(
    'orgs create',
    'Create an organization with its administrator and a token',
    () => import('./orgs/create.ts'),
  ),
  command(
    'spaces import',
    'Import a folder of Markdown, or a git repository of it, into a space',
    () => import('./spaces/import.ts'),
  ),
  command(
    'spaces export',
    'Write the content of a space into a folder of Markdown',
    () => import('./spaces/export.ts'),
  ),
  command('pages show', 'Show a page as a person reads it, or its Markdown', () => import('./pages/show.ts')),
  command(
    'pages edit',
    'Edit the Markdown of a page in your editor, in a change request',
    () => import('./pages/edit.ts'),
  ),
  command(
    'change-requests pdf',
    'Save a change request as a PDF, or show the address of one',
    () => import('./change-requests/pdf.ts'),
  ),
  command('spaces pdf', 'Save a space as a PDF, or show the address of one', () => import('./spaces/pdf.ts')),
  command(
    'change-requests diff',
    'Show what a change request changes, as a diff',
    () => import('./change-requests/diff.ts'),
  ),
  command(
    'spaces links',
    'List the links in a space, and which are broken',
    () => import('./spaces/links.ts'),
  ),
  command('sites audience', 'Show which visitors see what of a site', () => import('./sites/audience.ts')),
  command(
    'sites published',
    'Show all of a published site, or what one visitor sees of it',
    () => import('./sites/published.ts'),
  ),
  command('sites structure', 'Show the structure of a site as a tree', () => import('./sites/structure.ts')),
  command('saml create', 'Add a SAML provider', () => import('./saml/create.ts')),
  command('saml get', 'Show a SAML provider', () => import('./saml/get.ts')),
  command('saml update', 'Change a SAML provider', () => import('./saml/update.ts')),
  command(
    'conversations ingest',
    'Ingest conversations from CSV, NDJSON, JSON or YAML',
    () => import('./conversations/ingest.ts'),
  ),
  command(
    'conversations clusters show',
    'Show what a cluster is about, with its latest issues',
    () => import('./conversations/clusters-show.ts'),
  ),
  command(
    'conversations clusters draft',
    'Open a change request that answers a cluster',
    () => import('./conversations/clusters-draft.ts'),
  ),
  command('validate', 'Check a manifest without asking any store or server', () => import('./validate.ts')),
  command(
    'plan',
    'Show what it takes to bring an organization to a manifest',
    () => import('./plan.ts'),
    'markdown',
  ),
  command(
    'rehearse',
    'Apply a manifest to a copy in memory, to see how it would go',
    () => import('./rehearse.ts'),
  ),
  command('apply', 'Bring an organization to what a manifest says', () => import('./apply.ts')),
  command(
    'runs list',
    'List what was applied: the journals of the last runs',
    () => import('./runs-list.ts'),
  ),
  command('runs show', 'Show what a run did', () => import('./runs-show.ts')),
  command('runs undo', 'Bring back what was there before a run', () => import('./runs-undo.ts')),
  command('export', 'Write an organization as a manifest with its lock', () => import('./export.ts')),
  command('drift', 'Show what differs from what the last apply left', () => import('./drift.ts'), 'markdown'),
  command('adopt', 'Say which live resource a block of a manifest is', () => import('./adopt.ts')),
  command('forget', 'Let go of resources that a manifest owns; they stay', () => import('./forget.ts')),
  command('lock list', 'List what a manifest owns', () => import('./lock-list.ts')),
  command(
    'lock rebuild',
    'Make the lock of a manifest anew from what is live',
    () => import('./lock-rebuild.ts'),
  ),
  command(
    'schema manifest',
    'Print the JSON Schema of manifests, for editors',
    () => import('./schema-manifest.ts'),
  ),
  command(
    'integrations publish',
    'Publish an integration, or a new version of it',
    () => import('./integrations/publish.ts'),
  ),
  command(
    'integrations dev',
    'Send the events of an integration to a tunnel, and show them',
    () => import('./integrations/dev.ts'),
  ),
  command(
    'integrations events tail',
    'Show the events of an integration as they come',
    () => import('./integrations/events-tail.ts'),
  ),
  command(
    'openapi validate',
    'Check an OpenAPI specification without asking any store or server',
    () => import('./openapi/validate.ts'),
  ),
  command(
    'openapi publish',
    'Add an OpenAPI specification from a file or an address, or renew it',
    () => import('./openapi/publish.ts'),
  ),
  command(
    'openapi refresh',
    'Fetch and process an OpenAPI specification again',
    () => import('./openapi/refresh.ts'),
  ),
  command(
    'openapi pages',
    'Write pages computed from an OpenAPI specification',
    () => import('./openapi/pages.ts'),
  ),
  command(
    'translations create',
    'Translate a space into another language',
    () => import('./translations/create.ts'),
  ),
  command(
    'translations update',
    'Change the instructions of a translation',
    () => import('./translations/update.ts'),
  ),
  command('translations run', 'Run a translation again', () => import('./translations/run.ts')),
  command('jobs run', 'Do the work that waits, in this process', () => import('./jobs/run.ts')),
  command('api', 'Send a request of your own: docsctl api GET /orgs', () => import('./api.ts')),
  command('commands', 'Every command, as data', () => import('./commands.ts')),
  command('completion', 'Print the completion script of a shell', () => import('./completion.ts')),
  command('doctor', 'Check this machine, the settings and the store', () => import('./doctor.ts')),
];
