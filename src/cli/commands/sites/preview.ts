import { defined, listSome } from '../../../contract/values.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { getSite, getSiteStructure } from '../../../resources/sites/contract.ts';
import { collect } from '../../input/collect.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names/names.ts';
import type { SourceOptions } from '../../preview/create-source.ts';
import type { Session } from '../../session/session.ts';
import { isTimedOut } from '../../input/timeout.ts';
import { readWholeNumber } from '../../input/whole-number.ts';
import { readClaims } from './claims.ts';
import { addSiteArgument, resolveSite, type StructureItem } from './structure.ts';
import { givenTogether } from '../../input/given-twice.ts';

interface Options extends SourceOptions {
  readonly site?: string;
  readonly space?: string;
  readonly claims?: string;
  readonly shareLink?: string;
  readonly port: string;
  readonly browser: boolean;
}

export const help: CommandHelp = {
  description: `
Shows a site in a browser on this machine as readers will see it, until you press Ctrl-C. The site need not be
published. Nothing in the store or on the server is changed: docsctl keeps the previewed content in memory.

Use at most one of these options:

- With --folder, a space is shown as it will be once the folder is imported.
- With --change-request, a space is shown as it will be once the change request is merged.
- With --manifest, the site is shown as it will be once the manifest is applied.
- With --as-of, a space is shown as it was in a revision.

The preview follows changes to the folder, the change request, the manifest and the store: an open page reloads when
its content changes. If a file has a mistake, the page and the terminal show it, and the preview continues.

The printed address works in one browser. When a browser has used the address, the command prints a new one for
another browser. Only this machine can open the preview. It shows only spaces of the site that
you can read. Requires the read role.

With a server, the command copies the site into memory through the API, and copies it again when it has changed. --manifest needs
an embedded store.
`,
  examples: [
    'docsctl sites preview Docs   # runs until Ctrl-C',
    'docsctl sites preview Docs --folder ./docs --space Guide   # runs until Ctrl-C',
    'docsctl sites preview Docs --change-request 7 --space Guide --no-browser   # runs until Ctrl-C',
    `docsctl sites preview Docs --claims '{"plan":"pro"}' --port 0   # runs until Ctrl-C`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command)
    .option('--folder <folder>', 'show a space as it will be once this folder of Markdown is imported')
    .option(
      '--space <space>',
      'with --folder, --change-request or --as-of: title or ID of the space (default: the only space of the site)',
    )
    .option(
      '--change-request <change-request>',
      'show a space as it will be once the change request with this number or ID is merged',
    )
    .option('--as-of <revision>', 'show a space as it was in the revision with this ID')
    .option(
      '--manifest <path>',
      'show the site as it will be once this manifest is applied: a file, a folder or a pattern',
      collect,
    )
    .option('--var <name=value>', 'value for a variable of --manifest', collect)
    .option(
      '--claims <file>',
      'show what a visitor with these claims sees: a JSON or YAML file, or the JSON itself',
    )
    .option(
      '--share-link <key>',
      'show the site at the address of an active share link; the key is the last part of that address',
    )
    .option('--port <number>', 'port to listen on; 0 chooses a free one', '0')
    .option('--no-browser', 'only print the address, and open no browser')
    .action(inSession(preview));
};

async function preview(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { signal } = session.runtime;
  try {
    await startPreview(session, given, options);
  } catch (error) {
    // Ctrl-C ends a preview normally, even before it has started.
    if (!signal.aborted || isTimedOut(signal) || !isProblem(error, 'interrupted')) throw error;
  }
}

async function startPreview(session: Session, given: string | undefined, options: Options): Promise<void> {
  const port = readWholeNumber('--port', options.port, {
    max: 65_535,
    hint: 'Use --port 0 for a free port.',
  });
  checkCombination(options);
  const claims = options.claims === undefined ? undefined : await readClaims(session, options.claims);
  const { shareLink, browser: opensBrowser } = options;
  const view = { port, claims, shareLink, opensBrowser };
  const { createSource } = await import('../../preview/create-source.ts');
  if (options.manifest !== undefined) {
    const source = await createSource(session, {}, options);
    const { runPreview } = await import('../../preview/run-preview.ts');
    return runPreview(session, source, { ...view, given: given ?? options.site });
  }
  const params = await resolveSite(session, given ?? options.site);
  const isOfSpace = [options.folder, options.changeRequest, options.asOf].some(
    (value) => value !== undefined,
  );
  const spaceId = isOfSpace ? await chooseSpace(session, params, options.space) : undefined;
  const source = await createSource(session, { params, ...defined({ spaceId }) }, options);
  const { runPreview } = await import('../../preview/run-preview.ts');
  return runPreview(session, source, { ...view, params });
}

const kinds = {
  folder: '--folder',
  changeRequest: '--change-request',
  asOf: '--as-of',
  manifest: '--manifest',
};

/** @throws Problem(usage) for options that contradict each other */
function checkCombination(options: Options): void {
  const given = Object.entries(kinds).flatMap(([name, flag]) =>
    options[name as keyof typeof kinds] === undefined ? [] : [flag],
  );
  if (given.length > 1) throw givenTogether(given, 'Use one of them. To see both, start two previews.');
  if (options.var !== undefined && options.manifest === undefined)
    throw new Problem('usage', '--var needs --manifest.', { hint: 'Add --manifest docsctl.yaml.' });
  if (options.space !== undefined && (given.length === 0 || options.manifest !== undefined))
    throw new Problem('usage', '--space needs --folder, --change-request or --as-of.', {
      hint: 'Leave it out to preview the whole site.',
    });
}

type SiteParams = Awaited<ReturnType<typeof resolveSite>>;
type SpaceNames = ReadonlyMap<string, string>;

/** Returns the spaces of a site that the caller can read: their titles on the site by ID. */
async function readSpaces(session: Session, params: SiteParams): Promise<SpaceNames> {
  const { structure } = await session.call(getSiteStructure, { params });
  const titles = new Map<string, string>();
  const addTitles = ({ title, space, children = [], siteSpaces = [] }: StructureItem): void => {
    if (space !== undefined) titles.set(space.id, title);
    for (const item of [...children, ...siteSpaces]) addTitles(item);
  };
  for (const item of structure as readonly StructureItem[]) addTitles(item);
  return titles;
}

/** Finds the space for a folder, change request or revision. @throws Problem(usage), Problem(not-found) */
async function chooseSpace(session: Session, params: SiteParams, given: string | undefined): Promise<string> {
  const { title: site } = await session.call(getSite, { params });
  const readable = await readSpaces(session, params);
  const [first, ...others] = readable.keys();
  const named = given ?? session.settings.space?.value;
  if (named === undefined && first !== undefined && others.length === 0) return first;
  const names = listSome([...readable.values()].map((title) => `"${title}"`));
  if (named === undefined)
    throw readable.size === 0
      ? new Problem('usage', `The site "${site}" shows no space that you can read.`, {
          hint: 'Add a space to the site first.',
        })
      : new Problem('usage', `The site "${site}" shows ${readable.size} spaces, but none is chosen.`, {
          hint: `Choose one with --space: ${names}.`,
        });
  const spaceId = await resolveName(session, 'spaceId', named);
  if (readable.has(spaceId)) return spaceId;
  throw new Problem('not-found', `The site "${site}" does not show the space "${named}".`, {
    hint: readable.size === 0 ? 'Add it to the site first.' : `Spaces of the site: ${names}.`,
  });
}
