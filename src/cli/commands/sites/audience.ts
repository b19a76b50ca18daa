import { basename } from 'node:path';
import { computeAudience, conditionsOf, type ItemAudience } from '../../../conditions/audience.ts';
import { ConditionEvaluator } from '../../../conditions/condition-evaluator.ts';
import { generateVisitors } from '../../../conditions/generate-visitors.ts';
import type { Value } from '../../../conditions/values.ts';
import { isRecord } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { claimsOnSite } from '../../../resources/site-structure/conditions.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { createTheme } from '../../output/style.ts';
import type { Session } from '../../session/session.ts';
import { drawAudience } from './audience-draw.ts';
import { readSite, type SiteRead } from './audience-read.ts';
import { describeUnknownClaims, readClaims } from './claims.ts';
import { addSiteArgument, resolveSite } from './structure.ts';

interface Options {
  readonly site?: string;
  readonly claims?: readonly string[];
  readonly assumeAdaptiveContent?: boolean;
  readonly pages: boolean;
}

/** A kind of visitor of a site, in the output of `-o json`. */
interface Visitor {
  readonly name: string;
  readonly source: 'anyone' | 'claims' | 'generated' | 'share-link';
  readonly admitted: boolean;
  readonly why?: string;
  /** The claims that have an effect. */
  readonly claims: Value;
  /** Why other claims have no effect. */
  readonly ignored: readonly string[];
}

const maxClaimFiles = 32;

export const help: CommandHelp = {
  description: `
Shows all sections, groups, links and spaces of a site, and the pages that have a condition, with a column for each kind of
visitor: ● sees it, ◐ sees a part of it, · does not. Without --claims, docsctl makes up visitors from the conditions and the claims in the adaptive schema (see \`docsctl sites adaptive-schema --help\`), so that each
condition is true for some of them and false for others.

While adaptive content is disabled, the site knows only the signed claims of visitors who sign in (visibility
visitor-auth). Everything whose condition needs another claim is hidden. With --assume-adaptive-content, the
command shows what visitors would see if adaptive content were enabled. Visitors with a share link have unsigned
claims only.

Visitors with claims are assumed to be admitted. Conditions that read \`page.vars\` are evaluated without these
variables. A part whose condition does not fit the adaptive schema is hidden from everyone and marked ✗. Nothing is
changed. Requires the read role.
`,
  examples: [
    'docsctl sites audience Docs',
    'docsctl sites audience Docs --claims ana.json ben.json',
    'docsctl sites audience Docs -o json --query "items[?broken]"',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSiteArgument(command)
    .option(
      '--claims <file...>',
      'claims of one or more visitors, each as a JSON or YAML file or as JSON (default: visitors made up from conditions and schema)',
    )
    .option('--assume-adaptive-content', 'show what visitors would see if adaptive content were enabled')
    .option('--no-pages', 'show sections and spaces only')
    .action(inSession(showAudience));
};

interface NamedClaims {
  readonly name: string;
  readonly claims: Value;
}

/** Returns the claims of a visitor that the site knows. */
type ClaimsFilter = (claims: Readonly<Record<string, Value>>) => Value;

async function showAudience(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { claims: files = [], pages, assumeAdaptiveContent = false } = options;
  if (files.length > maxClaimFiles)
    throw new Problem('invalid-input', `--claims takes at most ${maxClaimFiles} files, not ${files.length}.`);
  const claims = await readVisitors(session, files);
  const read = await readSite(session, await resolveSite(session, given ?? options.site), pages);
  const evaluator = new ConditionEvaluator(read.schema);
  const adaptiveContent = read.site.adaptiveContent.enabled || assumeAdaptiveContent;
  const known: ClaimsFilter = (claimed) =>
    claimsOnSite({ visibility: read.site.visibility, adaptiveContent }, claimed);
  const visitors = listVisitors(read, claims, evaluator, known);
  const audiences = computeAudience(read.items, visitors, evaluator);
  if (session.format === 'table') await draw(session, read, visitors, audiences);
  else await print(session, read, visitors, audiences);
  for (const note of notesOf(read, visitors, assumeAdaptiveContent)) session.note(note);
}

async function readVisitors(session: Session, files: readonly string[]): Promise<NamedClaims[]> {
  const visitors: NamedClaims[] = [];
  for (const [index, file] of files.entries()) {
    const isFile = file !== '-' && !file.trimStart().startsWith('{');
    const name = isFile ? basename(file).replace(/\.(json|ya?ml)$/, '') : `visitor ${index + 1}`;
    visitors.push({ name, claims: (await readClaims(session, file)) as Value });
  }
  return visitors;
}

/** Lists the kinds of visitors: anyone, visitors with a share link, signed-in visitors, and those with claims. */
function listVisitors(
  { site, schema, items, links }: SiteRead,
  given: readonly NamedClaims[],
  evaluator: ConditionEvaluator,
  known: ClaimsFilter,
): Visitor[] {
  const none = { claims: {}, ignored: [] };
  const isLink = site.visibility === 'share-link';
  const anyone: Visitor =
    site.visibility === 'public' || site.visibility === 'unlisted'
      ? { name: 'anyone', source: 'anyone', admitted: true, ...none }
      : {
          name: 'anyone',
          source: 'anyone',
          admitted: false,
          why: isLink ? 'the site requires an active share link' : 'the site requires a visitor token',
          ...none,
        };
  const withLinks = links.map(({ name, active }): Visitor => ({
    name: `link ${name}`,
    source: 'share-link',
    admitted: active,
    ...(active ? {} : { why: 'the link is not active' }),
    ...none,
  }));
  const signedIn: Visitor = { name: 'signed in', source: 'generated', admitted: true, ...none };
  const source = given.length > 0 ? 'claims' : 'generated';
  const named = given.length > 0 ? given : generateVisitors(conditionsOf(items), evaluator, schema);
  return [
    anyone,
    ...withLinks,
    ...(site.visibility === 'visitor-auth' ? [signedIn] : []),
    ...named.map(({ name, claims }): Visitor => {
      const { claims: declared, ignored } = evaluator.filterClaims(claims);
      return { name, source, admitted: true, claims: known(isRecord(declared) ? declared : {}), ignored };
    }),
  ];
}

/** Draws the audience of each item. Generated visitors who see the same share a column. */
async function draw(
  { terminal, isColored, paged }: Session,
  { site }: SiteRead,
  visitors: readonly Visitor[],
  rows: readonly ItemAudience[],
): Promise<void> {
  const groups: { names: string[]; visitor: number; view: string }[] = [];
  for (const [visitor, { name, source, admitted }] of visitors.entries()) {
    const view = `${admitted} ${viewOf(rows, visitor)}`;
    const same = source === 'generated' ? groups.find((group) => group.view === view) : undefined;
    if (same === undefined) groups.push({ names: [name], visitor, view });
    else same.names.push(name);
  }
  const columns = groups.map(({ names, visitor }) => ({ name: names.join(' | '), visitor }));
  const title = [site.title, site.visibility, site.published ? 'published' : 'not published yet'].join(' · ');
  const width = terminal.stdoutIsTTY ? terminal.columns : Number.MAX_SAFE_INTEGER;
  const theme = await createTheme(isColored);
  await paged.write(drawAudience({ title, columns, rows, width }, theme));
}

/** Returns a text for everything that a visitor sees, to find visitors who see the same. */
function viewOf(audiences: readonly ItemAudience[], visitor: number): string {
  return audiences
    .map(({ seenBy, children }) => (seenBy[visitor] === true ? `1(${viewOf(children, visitor)})` : '0'))
    .join('');
}

async function print(
  session: Session,
  { site }: SiteRead,
  visitors: readonly Visitor[],
  audiences: readonly ItemAudience[],
): Promise<void> {
  const names = (marks: readonly boolean[]) =>
    visitors.flatMap(({ name }, visitor) => (marks[visitor] === true ? [name] : []));
  const flatten = (list: readonly ItemAudience[], within: string | null): object[] =>
    list.flatMap(({ item, seenBy, partlyBy, broken, children }) => {
      const { object, id, title, path, condition } = item;
      const marks = { seenBy: names(seenBy), partlyBy: names(partlyBy) };
      return [{ object, id, title, path, within, condition, broken, ...marks }, ...flatten(children, id)];
    });
  const items = flatten(audiences, null);
  const defaults = { columns: ['title', 'path', 'condition', 'seenBy'], noun: 'items' };
  if (session.format !== 'json' && session.format !== 'yaml') return session.printAll(items, defaults);
  const { id, title, visibility, published, adaptiveContent } = site;
  const summary = { id, title, visibility, published, adaptiveContent };
  await session.print({ object: 'site-audience', site: summary, visitors, items }, defaults);
}

function notesOf({ site, notes }: SiteRead, visitors: readonly Visitor[], isAssumed: boolean): string[] {
  const hasClaims = visitors.some(({ source }) => source === 'claims' || source === 'generated');
  return [
    ...notes,
    ...visitors.flatMap(({ name, admitted, why }) =>
      admitted ? [] : [`${name}: not admitted, ${why ?? 'the site is closed'}.`],
    ),
    ...visitors.flatMap(({ name, ignored }) => ignored.map((what) => `${name}: ignored a claim: ${what}.`)),
    ...(site.published
      ? []
      : [
          `The site is not published, so nobody sees anything yet. Publish it: \`docsctl sites publish ${site.id}\``,
        ]),
    ...(hasClaims && !site.adaptiveContent.enabled ? [describeAdaptiveContent(site, isAssumed)] : []),
  ];
}

function describeAdaptiveContent(site: SiteRead['site'], isAssumed: boolean): string {
  return isAssumed
    ? 'Adaptive content is disabled for this site. This shows what visitors would see if it were enabled.'
    : `${describeUnknownClaims(site) ?? ''}. To see what visitors would see then, add --assume-adaptive-content.`;
}
