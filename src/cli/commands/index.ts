import type { CompositeCommand } from '../composite-command.ts';

/** First words that stand for nothing by themselves, with what their commands are about. */
export const nounSummaries: Readonly<Record<string, string>> = {
  profiles: 'Settings that were saved under a name',
  config: 'The settings in force',
  runs: 'What was applied: the journals of the last runs',
  pages: 'Pages, as a person reads and edits them',
  lock: 'What a manifest owns',
  schema: 'JSON Schemas of files, for editors',
};

/** The table of contents of the commands written by hand. */
export const compositeCommands: readonly CompositeCommand[] = [
  {
    words: 'init',
    summary: 'Make a store with its first organization, administrator and token',
    load: () => import('./init.ts'),
  },
  { words: 'serve', summary: 'Serve the API over HTTP', load: () => import('./serve.ts') },
  {
    words: 'login',
    summary: 'Save a server and token, or a store, as a profile',
    load: () => import('./login.ts'),
  },
  { words: 'logout', summary: 'Forget the token of a profile', load: () => import('./logout.ts') },
  { words: 'whoami', summary: 'Show who you are and where', load: () => import('./whoami.ts') },
  { words: 'profiles list', summary: 'List the profiles', load: () => import('./profiles/list.ts') },
  {
    words: 'profiles use',
    summary: 'Choose the profile that is used',
    load: () => import('./profiles/use.ts'),
  },
  { words: 'profiles delete', summary: 'Delete a profile', load: () => import('./profiles/delete.ts') },
  {
    words: 'config explain',
    summary: 'Show every setting and where it comes from',
    load: () => import('./config/explain.ts'),
  },
  {
    words: 'orgs create',
    summary: 'Create an organization with its administrator and a token',
    load: () => import('./orgs/create.ts'),
  },
  {
    words: 'spaces import',
    summary: 'Import a folder of Markdown, or a git repository of it, into a space',
    load: () => import('./spaces/import.ts'),
  },
  {
    words: 'spaces export',
    summary: 'Write the content of a space into a folder of Markdown',
    load: () => import('./spaces/export.ts'),
  },
  {
    words: 'pages show',
    summary: 'Show a page as a person reads it, or its Markdown',
    load: () => import('./pages/show.ts'),
  },
  {
    words: 'pages edit',
    summary: 'Edit the Markdown of a page in your editor, in a change request',
    load: () => import('./pages/edit.ts'),
  },
  {
    words: 'change-requests pdf',
    summary: 'Save a change request as a PDF, or show the address of one',
    load: () => import('./change-requests/pdf.ts'),
  },
  {
    words: 'spaces pdf',
    summary: 'Save a space as a PDF, or show the address of one',
    load: () => import('./spaces/pdf.ts'),
  },
  {
    words: 'change-requests diff',
    summary: 'Show what a change request changes, as a diff',
    load: () => import('./change-requests/diff.ts'),
  },
  {
    words: 'spaces links',
    summary: 'List the links in a space, and which are broken',
    load: () => import('./spaces/links.ts'),
  },
  {
    words: 'sites audience',
    summary: 'Show which visitors see what of a site',
    load: () => import('./sites/audience.ts'),
  },
  {
    words: 'sites published',
    summary: 'Show all of a published site, or what one visitor sees of it',
    load: () => import('./sites/published.ts'),
  },
  {
    words: 'sites structure',
    summary: 'Show the structure of a site as a tree',
    load: () => import('./sites/structure.ts'),
  },
  { words: 'saml create', summary: 'Add a SAML provider', load: () => import('./saml/create.ts') },
  { words: 'saml get', summary: 'Show a SAML provider', load: () => import('./saml/get.ts') },
  { words: 'saml update', summary: 'Change a SAML provider', load: () => import('./saml/update.ts') },
  {
    words: 'conversations ingest',
    summary: 'Ingest conversations from CSV, NDJSON, JSON or YAML',
    load: () => import('./conversations/ingest.ts'),
  },
  {
    words: 'conversations clusters show',
    summary: 'Show what a cluster is about, with its latest issues',
    load: () => import('./conversations/clusters-show.ts'),
  },
  {
    words: 'conversations clusters draft',
    summary: 'Open a change request that answers a cluster',
    load: () => import('./conversations/clusters-draft.ts'),
  },
  {
    words: 'validate',
    summary: 'Check a manifest without asking any store or server',
    load: () => import('./validate.ts'),
  },
  {
    words: 'plan',
    summary: 'Show what it takes to bring an organization to a manifest',
    format: 'markdown',
    load: () => import('./plan.ts'),
  },
  {
    words: 'rehearse',
    summary: 'Apply a manifest to a copy in memory, to see how it would go',
    load: () => import('./rehearse.ts'),
  },
  {
    words: 'apply',
    summary: 'Bring an organization to what a manifest says',
    load: () => import('./apply.ts'),
  },
  {
    words: 'runs list',
    summary: 'List what was applied: the journals of the last runs',
    load: () => import('./runs-list.ts'),
  },
  { words: 'runs show', summary: 'Show what a run did', load: () => import('./runs-show.ts') },
  {
    words: 'runs undo',
    summary: 'Bring back what was there before a run',
    load: () => import('./runs-undo.ts'),
  },
  {
    words: 'export',
    summary: 'Write an organization as a manifest with its lock',
    load: () => import('./export.ts'),
  },
  {
    words: 'drift',
    summary: 'Show what differs from what the last apply left',
    format: 'markdown',
    load: () => import('./drift.ts'),
  },
  {
    words: 'adopt',
    summary: 'Say which live resource a block of a manifest is',
    load: () => import('./adopt.ts'),
  },
  {
    words: 'forget',
    summary: 'Let go of resources that a manifest owns; they stay',
    load: () => import('./forget.ts'),
  },
  { words: 'lock list', summary: 'List what a manifest owns', load: () => import('./lock-list.ts') },
  {
    words: 'lock rebuild',
    summary: 'Make the lock of a manifest anew from what is live',
    load: () => import('./lock-rebuild.ts'),
  },
  {
    words: 'schema manifest',
    summary: 'Print the JSON Schema of manifests, for editors',
    load: () => import('./schema-manifest.ts'),
  },
  {
    words: 'integrations publish',
    summary: 'Publish an integration, or a new version of it',
    load: () => import('./integrations/publish.ts'),
  },
  {
    words: 'integrations dev',
    summary: 'Send the events of an integration to a tunnel, and show them',
    load: () => import('./integrations/dev.ts'),
  },
  {
    words: 'integrations events tail',
    summary: 'Show the events of an integration as they come',
    load: () => import('./integrations/events-tail.ts'),
  },
  {
    words: 'openapi validate',
    summary: 'Check an OpenAPI specification without asking any store or server',
    load: () => import('./openapi/validate.ts'),
  },
  {
    words: 'openapi publish',
    summary: 'Add an OpenAPI specification from a file or an address, or renew it',
    load: () => import('./openapi/publish.ts'),
  },
  {
    words: 'openapi refresh',
    summary: 'Fetch and process an OpenAPI specification again',
    load: () => import('./openapi/refresh.ts'),
  },
  {
    words: 'openapi pages',
    summary: 'Write pages computed from an OpenAPI specification',
    load: () => import('./openapi/pages.ts'),
  },
  {
    words: 'translations create',
    summary: 'Translate a space into another language',
    load: () => import('./translations/create.ts'),
  },
  {
    words: 'translations update',
    summary: 'Change the instructions of a translation',
    load: () => import('./translations/update.ts'),
  },
  {
    words: 'translations run',
    summary: 'Run a translation again',
    load: () => import('./translations/run.ts'),
  },
  {
    words: 'jobs run',
    summary: 'Do the work that waits, in this process',
    load: () => import('./jobs/run.ts'),
  },
  {
    words: 'api',
    summary: 'Send a request of your own: docsctl api GET /orgs',
    load: () => import('./api.ts'),
  },
  { words: 'commands', summary: 'Every command, as data', load: () => import('./commands.ts') },
  {
    words: 'completion',
    summary: 'Print the completion script of a shell',
    load: () => import('./completion.ts'),
  },
  {
    words: 'doctor',
    summary: 'Check this machine, the settings and the store',
    load: () => import('./doctor.ts'),
  },
];
