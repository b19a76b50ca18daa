import { basename } from 'node:path';
import type { Command } from 'commander';
import { ConditionEvaluator } from '../../../conditions/condition-evaluator.ts';
import type { Value } from '../../../conditions/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { createNames } from '../../names.ts';
import type { Session } from '../../session.ts';
import { readClaims, adaptiveContentOff } from './claims.ts';
import { drawAudience } from './audience-draw.ts';
import { readSite, type SiteRead } from './audience-read.ts';
import { conditionsOf, computeAudience, type ItemAudience } from '../../../conditions/audience.ts';
import { generateVisitors } from '../../../conditions/generate-visitors.ts';
import type { RunInSession } from '../../composite-command.ts';
import { createTheme } from '../../output/style.ts';

interface Options {
  readonly site?: string;
  readonly claims?: readonly string[];
  readonly pages: boolean;
}

/** Somebody who comes to a site, as `-o json` shows them. */
interface Visitor {
  readonly name: string;
  readonly source: 'anyone' | 'claims' | 'generated' | 'share-link';
  /** Whether the site admits them at all. */
  readonly admitted: boolean;
  readonly why?: string;
  /** The claims that count. */
  readonly claims: Value;
  /** Why other claims do not count. */
  readonly ignored: readonly string[];
}

const maxClaimFiles = 32;

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[site]', 'site, by id or title')
    .option('--site <id|name>', 'the site')
    .option(
      '--claims <file...>',
      'a visitor with the claims of this file (JSON or YAML, or JSON as it is); several: several visitors. Without: visitors made from the visitor schema',
    )
    .option('--no-pages', 'sections and spaces only')
    .addHelpText(
      'after',
      '\nEverybody who has claims is shown as let in. Conditions over page.vars find none here. A condition that does not fit the visitor schema hides what it stands on.\n\nExamples:\n  docsctl sites audience Docs\n  docsctl sites audience Docs --claims ana.json bo.json\n  docsctl sites audience Docs -o json --query "items[?broken]"\n',
    )
    .action((given: string | undefined, options: Options) =>
      run((session) => showAudience(session, given ?? options.site, options)),
    );
}

async function showAudience(session: Session, given: string | undefined, options: Options): Promise<void> {
  if (given === undefined)
    throw new Problem('usage', 'Which site?', {
      hint: 'Give it by position or as --site; `docsctl sites list` shows them.',
    });
  const files = options.claims ?? [];
  if (files.length > maxClaimFiles)
    throw new Problem('usage', `--claims takes at most ${maxClaimFiles} files.`);
  const said: { name: string; claims: Value }[] = [];
  for (const [index, file] of files.entries()) {
    const isFile = file !== '-' && !file.trimStart().startsWith('{');
    said.push({
      name: isFile ? basename(file).replace(/\.(json|ya?ml)$/, '') : `visitor ${index + 1}`,
      claims: (await readClaims(session, file)) as Value,
    });
  }
  const names = createNames(session);
  const organizationId = await names.resolve('organizationId', undefined, {}, '');
  const siteId = await names.resolve('siteId', given, { organizationId }, '');
  const read = await readSite(
    await session.api(),
    { organizationId, siteId },
    options.pages,
    session.runtime.signal,
  );
  const evaluator = new ConditionEvaluator(read.schema);
  const visitors = visitorsOf(read, said, evaluator);
  const seen = computeAudience(read.items, visitors, evaluator);
  if (session.format === 'table') await draw(session, read, visitors, seen);
  else await print(session, read, visitors, seen);
  for (const note of notesOf(read, visitors)) session.note(note);
}

/** Everybody who could come: anyone, who holds a link, and who brings claims. */
function visitorsOf(
  { site, schema, items, links }: SiteRead,
  said: readonly { name: string; claims: Value }[],
  evaluator: ConditionEvaluator,
): Visitor[] {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted';
  const none = { claims: {}, ignored: [] };
  const anyone: Visitor = {
    name: 'anyone',
    source: 'anyone',
    admitted: isOpen,
    ...(isOpen
      ? {}
      : {
          why:
            site.visibility === 'share-link' ? 'it takes an active share link' : 'it takes a visitor token',
        }),
    ...none,
  };
  const withLinks = links.map(({ name, active }): Visitor => ({
    name: `link ${name}`,
    source: 'share-link',
    admitted: active,
    ...(active ? {} : { why: 'the link is turned off' }),
    ...none,
  }));
  const signedIn: Visitor[] =
    site.visibility === 'visitor-auth'
      ? [{ name: 'signed in', source: 'generated', admitted: true, ...none }]
      : [];
  const given = said.length > 0 ? said : generateVisitors(conditionsOf(items), evaluator, schema);
  const source = said.length > 0 ? 'claims' : 'generated';
  return [
    anyone,
    ...withLinks,
    ...signedIn,
    ...given.map(({ name, claims }): Visitor => ({
      name,
      source,
      admitted: true,
      ...evaluator.filterClaims(claims),
    })),
  ];
}

async function draw(
  session: Session,
  { site }: SiteRead,
  visitors: readonly Visitor[],
  seen: readonly ItemAudience[],
): Promise<void> {
  const { terminal, isInteractive } = session;
  const columns: { name: string; at: number; sight: string }[] = [];
  const alike = new Map<number, string[]>();
  for (const [at, { name, source, admitted }] of visitors.entries()) {
    const sight = `${admitted} ${sightOf(seen, at)}`;
    const twin = source === 'generated' ? columns.find((column) => column.sight === sight) : undefined;
    if (twin === undefined) columns.push({ name, at, sight });
    else alike.set(twin.at, [...(alike.get(twin.at) ?? []), name]);
  }
  const named = columns.map(({ name, at }) => ({ name: [name, ...(alike.get(at) ?? [])].join(' | '), at }));
  const title = [site.title, site.visibility, site.published ? 'published' : 'not published yet'].join(' · ');
  const width = terminal.stdoutIsTTY ? terminal.columns : Number.MAX_SAFE_INTEGER;
  await terminal.stdout.write(
    drawAudience(
      { title, columns: named, rows: seen, width },
      await createTheme(terminal.color && isInteractive),
    ),
  );
}

/** What a visitor sees, as one text, to find those who see the same. */
function sightOf(seen: readonly ItemAudience[], at: number): string {
  return seen
    .map(({ seenBy, children }) => (seenBy[at] === true ? `1(${sightOf(children, at)})` : '0'))
    .join('');
}

async function print(
  session: Session,
  { site }: SiteRead,
  visitors: readonly Visitor[],
  seen: readonly ItemAudience[],
): Promise<void> {
  const names = (marks: readonly boolean[]) =>
    visitors.flatMap(({ name }, at) => (marks[at] === true ? [name] : []));
  const items: unknown[] = [];
  const walk = (list: readonly ItemAudience[], within: string | null): void => {
    for (const { item, seenBy, partlyBy, broken, children } of list) {
      const { object, id, title, path, condition } = item;
      items.push({
        object,
        id,
        title,
        path,
        within,
        condition,
        broken,
        seenBy: names(seenBy),
        partlyBy: names(partlyBy),
      });
      walk(children, id);
    }
  };
  walk(seen, null);
  const { id, title, visibility, published, adaptiveContent } = site;
  const whole = {
    object: 'site-audience',
    site: { id, title, visibility, published, adaptiveContent },
    visitors,
    items,
  };
  const printer = await session.printer({ columns: ['title', 'path', 'condition', 'seenBy'], noun: 'items' });
  await (session.format === 'json' || session.format === 'yaml'
    ? printer.one(whole)
    : printer.page({ count: items.length, items }));
  await printer.end();
}

function notesOf({ site, notes }: SiteRead, visitors: readonly Visitor[]): string[] {
  return [
    ...notes,
    ...visitors.flatMap(({ name, admitted, why }) =>
      admitted ? [] : [`${name}: not let in, ${why ?? 'the site is closed'}.`],
    ),
    ...visitors.flatMap(({ name, ignored }) => ignored.map((what) => `${name}: ${what}; left out.`)),
    ...(site.published
      ? []
      : [`The site is not published: nobody sees anything yet. docsctl sites publish ${site.id}`]),
    ...(site.adaptiveContent.enabled ||
    visitors.every(({ source }) => source !== 'claims' && source !== 'generated')
      ? []
      : [adaptiveContentOff]),
  ];
}
