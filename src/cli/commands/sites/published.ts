import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { getPublishedSite } from '../../../resources/sites/contract.ts';
import { readText } from '../../files.ts';
import { createNames } from '../../names.ts';
import { drawTree } from '../../output/tree.ts';
import type { Session } from '../../session.ts';
import { readClaims, adaptiveContentOff } from './claims.ts';
import { nodeOf, type Item } from './structure.ts';
import type { RunInSession } from '../../composite-command.ts';
import { createTheme } from '../../output/style.ts';

interface Options {
  readonly site?: string;
  readonly shareKey?: string;
  readonly claims?: string;
  readonly visitorTokenFile?: string;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[site]', 'site, by id or title')
    .option('--site <id|name>', 'the site')
    .option(
      '--claims <file>',
      'show what a visitor with these claims sees: a file of JSON or YAML, - for standard input, or JSON as it is',
    )
    .option(
      '--visitor-token-file <file>',
      'show what the visitor sees whom the token in this file (or -) is for; claims may then only hold "unsigned"',
    )
    .option(
      '--share-key <key>',
      'active share link, as its key or URL, to resolve published URLs; @file or - reads it',
    )
    .addHelpText(
      'after',
      "\nShows all sections and spaces; conditions decide only with claims or a visitor token, --claims '{}' for anyone.\n" +
        '\nExamples:\n  docsctl sites published Docs\n  docsctl sites published Docs --claims ana.json\n  docsctl sites published Docs --claims \'{"plan":"pro"}\' -o json\n',
    )
    .action((given: string | undefined, options: Options) =>
      run((session) => showPublished(session, given ?? options.site, options)),
    );
}

/** The key of a share link; people have its address, which ends with the key. */
function keyIn(given: string): string {
  return /^https?:\/\//.test(given) && URL.canParse(given)
    ? (new URL(given).pathname.split('/').findLast((part) => part !== '') ?? given)
    : given;
}

async function showPublished(
  session: Session,
  given: string | undefined,
  { shareKey, claims, visitorTokenFile }: Options,
): Promise<void> {
  if (given === undefined)
    throw new Problem('usage', 'Which site?', {
      hint: 'Give it by position or as --site; `docsctl sites list` shows them.',
    });
  const key =
    shareKey === '-' || shareKey?.startsWith('@')
      ? (await readText(session, shareKey.replace(/^@/, ''), 1024)).trim()
      : shareKey;
  const query = {
    ...(key === undefined ? {} : { shareKey: keyIn(key) }),
    ...(claims === undefined ? {} : { claims: JSON.stringify(await readClaims(session, claims)) }),
    ...(visitorTokenFile === undefined
      ? {}
      : { visitorToken: (await readText(session, visitorTokenFile, 16_384)).trim() }),
  };
  const names = createNames(session);
  const organizationId = await names.resolve('organizationId', undefined, {}, '');
  const siteId = await names.resolve('siteId', given, { organizationId }, '');
  const api = await session.api();
  const isVisitor = claims !== undefined || visitorTokenFile !== undefined;
  const body = await api.call(
    getPublishedSite,
    { params: { organizationId, siteId }, query },
    { signal: session.runtime.signal },
  );
  const items = body.structure.structure as readonly Item[];
  if (
    session.format !== 'table' ||
    session.flags.columns !== undefined ||
    session.flags.query !== undefined
  ) {
    const printer = await session.printer({
      columns: ['site.title', 'site.urls.published', 'structure.type'],
    });
    await printer.one(body);
    await printer.end();
  } else {
    const { terminal } = session;
    const root = { label: body.site.title, note: body.site.urls.published, children: items.map(nodeOf) };
    await terminal.stdout.write(drawTree(root, await createTheme(terminal.color && terminal.stdoutIsTTY)));
  }
  for (const note of notesOf(items, isVisitor, body.site.adaptiveContent.enabled)) session.note(note);
}

/** Whose view this is: conditions decide only for a visitor, and only where adaptive content is on. */
function notesOf(items: readonly Item[], isVisitor: boolean, isAdaptive: boolean): string[] {
  if (!isVisitor)
    return items.some(hasCondition)
      ? [
          "This is all of it, whatever the conditions say; --claims '{}' shows what is left for a visitor without claims.",
        ]
      : [];
  return [
    ...(items.length === 0 ? ['Such a visitor sees nothing of this site.'] : []),
    ...(isAdaptive ? [] : [adaptiveContentOff]),
  ];
}

function hasCondition({ condition, children = [], siteSpaces = [] }: Item): boolean {
  return condition !== undefined || [...children, ...siteSpaces].some(hasCondition);
}
