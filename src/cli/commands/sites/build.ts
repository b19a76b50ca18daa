import { resolve } from 'node:path';
import { isHttpUrl } from '../../../contract/open-address.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { buildSite } from '../../../static-site/build-site.ts';
import { OutputFolder } from '../../../static-site/output-folder.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { withCounts } from '../../output/progress.ts';
import { noteFiles } from '../../results/save-file.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { openSiteFiles } from '../../../publishing/site-files.ts';
import { noteLeftOut } from '../../results/left-out-pages.ts';
import { nameActivity } from '../../session/watch-calls.ts';
import { readVisitClaims, resolveVisitedSite } from './claims.ts';
import { addSiteArgument } from './structure.ts';

interface Options {
  readonly site?: string;
  readonly folder?: string;
  readonly claims?: string;
  readonly url?: string;
}

export const help: CommandHelp = {
  description: `
Writes the site as files that any host can serve, without docsctl: each page as PAGE/index.html and PAGE.md, the files
that pages use, a search index, 404.html, robots.txt, llms.txt, llms-full.txt and \`_redirects\`. --url adds
sitemap.xml and the canonical address of each page. Links are relative, so the folder works at any path, and also
if you open index.html directly from the disk.

The site does not have to be published. The command fails if the site requires a share link or a visitor token. A site with adaptive content needs --claims. The files then show what a visitor with these claims sees.

A second build writes only files that have changed, and deletes only files that an earlier build wrote and
listed in \`.docsctl-site.json\`. It never changes other files. The command refuses a folder that has files but no earlier build. Building the same content again writes the same bytes.

Redirects with a star work only on hosts that read \`_redirects\`. Every other redirect is also written as a page that
leads to its destination. For paths that do not exist, hosts show 404.html, whose links start at the path of --url (default: /).
Requires the edit role.
`,
  examples: [
    'docsctl sites build Help -d public',
    'docsctl sites build Help -d public --url https://docs.example.com/guide/',
    `docsctl sites build Help -d public --claims '{"plan":"pro"}'`,
  ],
  exitCodes: { 9: 'The folder has other files, or the site is not for everyone.' },
  noDryRun: 'Build into a new folder, and compare.',
};

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command)
    .option('-d, --folder <folder>', 'folder to write: new, empty, or from an earlier build (required)')
    .option(
      '--claims <file>',
      'build what a visitor with these claims sees: a JSON or YAML file, - for standard input, or the JSON itself',
    )
    .option('--url <url>', 'URL where the folder will be served, for sitemap.xml and canonical addresses')
    .action(inSession(build));
};

async function build(
  session: Session,
  given: string | undefined,
  { site, folder: target, claims, url }: Options,
): Promise<void> {
  const { runtime } = session;
  if (target === undefined || target === '')
    throw new Problem('usage', 'No folder is given.', {
      hint: 'Name it with -d: `docsctl sites build SITE -d public`',
    });
  if (url !== undefined) checkUrl(url);
  const seen = await readVisitClaims(session, claims);
  const { params, name } = await resolveVisitedSite(session, given ?? site, seen);
  const path = resolve(runtime.cwd, target);
  const folder = new OutputFolder(path, {
    name: target,
    site: params.siteId,
    maker: openSiteFiles().version,
    randomBytes: runtime.randomBytes,
  });
  const activity = `Building pages of ${name}`;
  const api = nameActivity(await session.api(), activity);
  const { pages, rendered, wildcards, leftOut } = await withCounts(session, activity, (onProgress) =>
    buildSite({
      api,
      ...params,
      claims: seen,
      address: url,
      folder,
      signal: runtime.signal,
      onProgress,
    }),
  );
  const { written, unchanged, deleted, bytes } = folder.changes;
  if (wildcards > 0)
    session.note(
      `warning: ${plural(wildcards, 'redirect')} with a star ${wildcards === 1 ? 'works' : 'work'} only on hosts that read _redirects.`,
    );
  noteLeftOut(session, 'A copy has', leftOut);
  if (folder.kept.length > 0) noteFiles(session, 'kept, because it was edited:', folder.kept);
  if (url === undefined) session.note('No sitemap.xml was written. To write it, add --url.');
  session.note(
    `Built ${plural(pages, 'page')}, ${rendered} of them rendered: ${plural(written, 'file')} written, ${unchanged} unchanged, ${deleted} deleted.`,
  );
  await printOutcome(
    session,
    { folder: path, pages, rendered, written, unchanged, deleted, bytes },
    'folder',
  );
}

/** @throws Problem(invalid-input) */
function checkUrl(url: string): void {
  if (!isHttpUrl(url) || /[?#\s"]/.test(url))
    throw new Problem('invalid-input', `--url is "${url}", which is not the URL of a folder.`, {
      hint: 'Use a URL such as https://docs.example.com/guide/.',
    });
}
