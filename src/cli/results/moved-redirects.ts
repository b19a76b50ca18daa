import type { Static } from '../../contract/schema.ts';
import { plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { MovedRedirect } from '../../resources/site-redirects/schemas.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Styler } from '../output/style.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { Session } from '../session/session.ts';

/** A redirect from the old path of a page or space that moved on a published site. */
export type Moved = Static<typeof MovedRedirect>;

/** Maximum number of redirects on a terminal and in a comment. */
const maxShown = 20;

/** IDs of sites whose manifest states all redirects. Nothing else creates redirects there. */
export type StatedSites = ReadonlySet<string>;

const none: StatedSites = new Set();

/** Draws the redirects that a change would need, by site; '' if there are none. */
export function drawMoved(redirects: readonly Moved[], style: Styler, stated: StatedSites = none): string {
  return partsOf(redirects, stated)
    .map(({ title, lines }) => `${style(title, ['yellow'])}\n${lines.map((line) => `  ${line}\n`).join('')}`)
    .join('');
}

/** Writes the redirects that a change would need for a comment on a pull request. */
export function movedMarkdown(redirects: readonly Moved[], stated: StatedSites = none): string {
  const parts = partsOf(redirects, stated).map(
    ({ title, lines }) => `${title}\n\n\`\`\`text\n${lines.map((line) => `${line}\n`).join('')}\`\`\`\n`,
  );
  return parts.length === 0 ? '' : `\n#### Redirects\n\n${parts.join('\n')}`;
}

/** Splits redirects into those that --redirects creates, and those that only a manifest can state. */
function partsOf(
  redirects: readonly Moved[],
  stated: StatedSites,
): readonly { title: string; lines: readonly string[] }[] {
  const made = redirects.filter(({ site }) => !stated.has(site.id));
  const listed = redirects.filter(({ site }) => stated.has(site.id));
  const titleMade = `Addresses of published sites will change. A merge or apply with --redirects keeps them working with ${plural(made.length, 'redirect')}:`;
  const titleListed = `Addresses of published sites will change, and the manifest states all redirects of these sites. To keep the addresses working, add ${plural(listed.length, 'redirect')} to \`redirects:\`:`;
  return [
    { title: titleMade, found: made },
    { title: titleListed, found: listed },
  ].flatMap(({ title, found }) => (found.length === 0 ? [] : [{ title, lines: listMoved(found) }]));
}

/**
 * Notes the redirects that a change has created, and those that are still missing, with a command for the first one. `all` tells
 * how to create all of them.
 */
export function noteMoved(
  session: Session,
  redirects: readonly Moved[],
  all = 'With --redirects, they are created with the change.',
): void {
  const made = redirects.filter(({ done }) => done);
  const left = redirects.filter(({ done }) => !done);
  if (made.length > 0) {
    session.note(`Changed ${plural(made.length, 'redirect')} of published sites:`);
    for (const line of listMoved(made)) session.note(`  ${line}`);
  }
  if (left.length === 0) return;
  session.note(
    'warning: addresses of published sites changed. These redirects would keep the old ones working:',
  );
  for (const line of listMoved(left)) session.note(`  ${line}`);
  const [first] = left.filter(({ action }) => action === 'create');
  const command = first === undefined ? undefined : commandFor(first);
  if (command !== undefined) session.note(`hint: create the first one with \`${command}\`. ${all}`);
}

/** Returns how to create all redirects that a merged change request needs. */
export function createByMerge(changeRequest: string | number, space: string): string {
  return `To create all of them, run \`docsctl change-requests merge ${changeRequest} --space ${shellWord(space)} --redirects\`.`;
}

/** Warns about a redirect without effect, because the site has a page at its source. */
export function noteUnused(session: Session, { source }: Readonly<Record<string, unknown>>): void {
  session.note(
    `warning: the site has a page at ${escapeControls(String(source))}, so visitors get the page and are not redirected.`,
  );
}

/** @throws Problem(partly-failed) if one of the redirects in an answer was refused */
export function throwIfRefused(answers: readonly unknown[]): void {
  const results = (answers as readonly { results: readonly { status: string }[] }[]).flatMap(
    (answer) => answer.results,
  );
  const refused = results.filter(({ status }) => status === 'error').length;
  if (refused > 0)
    throw new Problem(
      'partly-failed',
      `${refused} of ${plural(results.length, 'redirect')} ${refused === 1 ? 'was' : 'were'} refused.`,
      { hint: 'Correct these redirects and send them again.' },
    );
}

function commandFor({
  source,
  site,
  destination,
  captureWildcard,
  space,
  pagePath,
}: Moved): string | undefined {
  const to =
    destination.kind === 'site-space'
      ? `--site-space ${destination.siteSpaceId}`
      : destination.kind === 'site-page' && space !== undefined && pagePath !== undefined
        ? `--space ${space} --path ${shellWord(pagePath)}`
        : undefined;
  if (to === undefined) return undefined;
  const capture = captureWildcard ? ' --capture-wildcard' : '';
  return `docsctl sites redirects create ${shellWord(source)} --site ${site.id} ${to}${capture}`;
}

function listMoved(redirects: readonly Moved[]): string[] {
  return listFirst(redirects.map(describeMoved));
}

/** Returns the first lines, and a line that counts the others. */
export function listFirst(lines: readonly string[]): string[] {
  const shown = lines.slice(0, maxShown);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `… and ${more} more; -o json lists all of them.`] : shown;
}

/** Describes a redirect: `Docs: /old → /new`. */
function describeMoved({ site, action, source, captureWildcard, target = '' }: Moved): string {
  const to =
    action === 'delete'
      ? '(deleted: the address exists again)'
      : `→ ${target}${captureWildcard ? '*' : ''}${action === 'replace' ? ' (replaced)' : ''}`;
  return escapeControls(`${site.title}: ${source} ${to}`);
}
