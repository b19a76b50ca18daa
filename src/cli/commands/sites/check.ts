import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { checkSite, siteRules, type SiteFinding, type SiteRule } from '../../../static-site/check-site.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { collect } from '../../input/collect.ts';
import { readArguments } from '../../input/files.ts';
import { areSeveral } from '../../input/positionals.ts';
import { readRuleLists, splitRules, type Severity } from '../../manifest/severities.ts';
import { withCounts } from '../../output/progress.ts';
import { wantsDocument, type Session } from '../../session/session.ts';
import { noteLeftOut } from '../../results/left-out-pages.ts';
import { doEach } from '../../session/do-each.ts';
import { nameActivity } from '../../session/watch-calls.ts';
import { readVisitClaims, resolveVisitedSite } from './claims.ts';
import { findRedirectProblems } from './redirects-check.ts';
import { addSiteArgument } from './structure.ts';

interface Options {
  readonly site?: string;
  readonly claims?: string;
  readonly error?: readonly string[];
  readonly warn?: readonly string[];
  readonly off?: readonly string[];
}

const rules = Object.entries(siteRules)
  .map(([rule, meaning]) => `  ${rule.padEnd(22)} ${meaning}`)
  .join('\n');

const fields = ['site', 'severity', 'rule', 'page', 'detail', 'file', 'space'];

export const help: CommandHelp = {
  columns: fields,
  description: `
Reads all pages of each site as visitors get them, and lists what to correct, with the page and the file that the page
was imported from. The site does not have to be published. Nothing is changed, and no requests are sent to other
sites. Exits with 9 if there is an error. Requires the edit role.

Findings of every rule are errors, unless --warn or --off names the rule. With --error, findings of all other rules are
warnings. The rules are:

${rules}

If there are more than 20 findings, a summary counts the findings of each rule. To see the line of each broken link, use \`docsctl spaces links\`. The command fails if the site requires a share link or a
visitor token. A site with adaptive content needs --claims.
`,
  examples: [
    'docsctl sites check Help --warn image-without-text,table-without-headers',
    'docsctl sites list --title Help -o id | docsctl sites check - --error broken-link',
    'docsctl sites check Help --error broken-link,broken-anchor,redirect -o json',
    `docsctl sites check Help --query "items[?rule=='broken-link']" -o table`,
  ],
  exitCodes: { 9: 'There is an error, or the site is not for everyone.' },
};

export const define: DefineCommand = (command, inSession) => {
  const list = 'separated by commas';
  addSiteArgument(command, true)
    .option(
      '--claims <file>',
      'check what a visitor with these claims sees: a JSON or YAML file, - for standard input, or the JSON itself',
    )
    .option('--error <rules>', `rules that are errors, ${list}; all others are warnings`, collect)
    .option('--warn <rules>', `rules that are warnings, ${list}`, collect)
    .option('--off <rules>', `rules to leave out, ${list}`, collect)
    .action(inSession(check));
};

/** A finding in the form in which it is printed. */
interface Shown extends SiteFinding {
  /** The name of the site in the command. */
  readonly site: string;
  readonly severity: Exclude<Severity, 'off'>;
}

async function check(
  session: Session,
  given: readonly string[],
  { site, claims, ...lists }: Options,
): Promise<void> {
  const chosen = readRuleLists(
    (severity) => ({ name: `--${severity}`, place: '', rules: (lists[severity] ?? []).flatMap(splitRules) }),
    Object.keys(siteRules),
  );
  const severityOf = (rule: SiteRule): Severity =>
    chosen.get(rule) ?? (lists.error === undefined ? 'error' : 'warn');
  const seen = await readVisitClaims(session, claims);
  const sites = given.length === 0 ? [site] : await readArguments(session, given);
  const { results, failed } = await doEach(
    session,
    sites.map((word) => ({ word, name: word ?? '' })),
    ({ word }) => checkOne(session, word, { claims: seen, withRedirects: severityOf('redirect') !== 'off' }),
  );
  if (failed !== undefined && results.length === 0) throw failed;
  const shown = results.flatMap(({ name, findings }) =>
    findings.flatMap((finding): Shown[] => {
      const severity = severityOf(finding.rule);
      return severity === 'off' ? [] : [{ site: name, severity, ...finding }];
    }),
  );
  const hidden = areSeveral(given) ? ['space'] : ['space', 'site'];
  await session.printAll(shown, {
    noun: 'findings',
    columns: fields.filter((field) => !hidden.includes(field)),
    fields,
  });
  if (shown.length > maxUnsummed && !wantsDocument(session)) noteCounts(session, shown);
  const errors = shown.filter(({ severity }) => severity === 'error').length;
  const warnings = shown.length - errors;
  const pages = results.reduce((sum, result) => sum + result.pages, 0);
  const of = areSeveral(given) ? ` of ${plural(results.length, 'site')}` : '';
  const checked = `Checked ${plural(pages, 'page')}${of}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`;
  if (failed !== undefined || errors === 0) session.note(checked);
  if (failed !== undefined) throw failed;
  if (errors === 0) return;
  const lines = shown.some(({ rule }) => rule === 'broken-link')
    ? ' To see the line of each broken link, run `docsctl spaces links SPACE --status broken`.'
    : '';
  throw new Problem('guard-refused', checked, {
    hint: `Correct the pages, or leave rules out with --off. \`docsctl help sites check\` explains the rules.${lines}`,
  });
}

/** The findings of one site, including those of its redirects. */
interface CheckedSite {
  readonly name: string;
  readonly pages: number;
  readonly findings: readonly SiteFinding[];
}

/** Checks a site; without a name, the site of the settings. */
async function checkOne(
  session: Session,
  given: string | undefined,
  { claims, withRedirects }: { claims: string | undefined; withRedirects: boolean },
): Promise<CheckedSite> {
  const { params, name } = await resolveVisitedSite(session, given, claims);
  const activity = `Reading pages of ${name}`;
  const api = nameActivity(await session.api(), activity);
  const { pages, findings, leftOut } = await withCounts(session, activity, (onProgress) =>
    checkSite({ api, ...params, claims, signal: session.runtime.signal, onProgress }),
  );
  noteLeftOut(session, 'The check reads', leftOut);
  const redirects = withRedirects ? (await findRedirectProblems(session, params)).findings : [];
  const found = redirects.map(({ source, problem, detail }): SiteFinding => ({
    rule: 'redirect',
    page: source,
    detail: `${problem}: ${detail}`,
  }));
  return { name, pages, findings: [...findings, ...found] };
}

/** If there are more findings, they are counted by rule. */
const maxUnsummed = 20;

/** Notes the number of findings of each rule, the most frequent first, and how to list those of one rule. */
function noteCounts(session: Session, shown: readonly Shown[]): void {
  const counts = Object.keys(siteRules)
    .map((rule) => ({ rule, count: shown.filter((finding) => finding.rule === rule).length }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  session.note('Findings of each rule:');
  for (const { rule, count } of counts) session.note(`  ${rule.padEnd(22)} ${count}`);
  const only = `--query "items[?rule=='${counts[0]?.rule}']" -o table`;
  session.note(`To see the findings of one rule, add its name: \`${only}\`.`);
}
