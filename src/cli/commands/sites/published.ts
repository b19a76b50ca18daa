import { isHttpUrl } from '../../../contract/open-address.ts';
import { defined } from '../../../contract/values.ts';
import type { Static } from '../../../contract/schema.ts';
import { getPublishedSite, type Site } from '../../../resources/sites/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { readText } from '../../input/files.ts';
import { createTheme } from '../../output/style.ts';
import { drawTree } from '../../output/tree.ts';
import { wantsTable, type Session } from '../../session/session.ts';
import { describeUnknownClaims, readClaims } from './claims.ts';
import { addSiteArgument, nodeOf, resolveSite, type StructureItem } from './structure.ts';

interface Options {
  readonly site?: string;
  readonly shareKey?: string;
  readonly claims?: string;
  readonly visitorTokenFile?: string;
}

export const help: CommandHelp = {
  description: `
Without claims or a visitor token, docsctl shows all sections and spaces. With one of them, it shows only what the
visitor sees. --claims '{}' stands for a visitor without claims. The site must be published.

To compare several visitors, use \`docsctl sites audience\`.
`,
  examples: [
    'docsctl sites published Docs',
    'docsctl sites published Docs --claims ana.json',
    `docsctl sites published Docs --claims '{"plan":"pro"}' -o json`,
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command)
    .option(
      '--claims <file>',
      'show what a visitor with these claims sees: a JSON or YAML file, - for standard input, or the JSON itself',
    )
    .option(
      '--visitor-token-file <file>',
      'show what the visitor with the token in this file sees; - is standard input; --claims may then contain only unsigned claims, under "unsigned"',
    )
    .option(
      '--share-key <key>',
      'key or URL of an active share link; sites with visibility share-link show published URLs only with it; @FILE reads a file, - standard input',
    )
    .action(inSession(showPublished));
};

async function showPublished(
  session: Session,
  given: string | undefined,
  { site, shareKey, claims, visitorTokenFile }: Options,
): Promise<void> {
  const query = defined({
    shareKey: await readShareKey(session, shareKey),
    claims: claims === undefined ? undefined : JSON.stringify(await readClaims(session, claims)),
    visitorToken:
      visitorTokenFile === undefined ? undefined : (await readText(session, visitorTokenFile, 16_384)).trim(),
  });
  const params = await resolveSite(session, given ?? site);
  const body = await session.call(getPublishedSite, { params, query });
  const items = body.structure.structure as readonly StructureItem[];
  if (!wantsTable(session) || session.flags.columns !== undefined)
    await session.print(body, { columns: ['site.title', 'site.urls.published', 'structure.type'] });
  else {
    const root = { label: body.site.title, note: body.site.urls.published, children: items.map(nodeOf) };
    await session.paged.write(drawTree(root, await createTheme(session.isColored)));
  }
  const isVisitor = claims !== undefined || visitorTokenFile !== undefined;
  for (const note of notesOf(items, isVisitor, body.site)) session.note(note);
}

/** Reads --share-key: a key, a URL that ends with it, or a file that contains one of them. */
async function readShareKey(session: Session, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const isFile = given === '-' || given.startsWith('@');
  const key = isFile ? (await readText(session, given.replace(/^@/, ''), 1024)).trim() : given;
  return isHttpUrl(key) ? (new URL(key).pathname.split('/').findLast((part) => part !== '') ?? key) : key;
}

/** Returns notes on the kind of visitor whose view is shown, and on claims that the site does not know. */
function notesOf(items: readonly StructureItem[], isVisitor: boolean, site: Static<typeof Site>): string[] {
  if (!isVisitor)
    return items.some(hasCondition)
      ? [
          "Everything is shown, whatever the conditions say. Add --claims '{}' to see what a visitor without claims sees.",
        ]
      : [];
  return [
    ...(items.length === 0 ? ['This visitor sees nothing of the site.'] : []),
    ...[describeUnknownClaims(site)].flatMap((note) => note ?? []),
  ];
}

function hasCondition({ condition, children = [], siteSpaces = [] }: StructureItem): boolean {
  return condition !== undefined || [...children, ...siteSpaces].some(hasCondition);
}
