import type { Static } from '../../contract/schema.ts';
import { plural } from '../../contract/values.ts';
import type { BrokenRedirect } from '../../resources/site-redirects/schemas.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Styler } from '../output/style.ts';
import type { Session } from '../session/session.ts';
import { listFirst } from './moved-redirects.ts';

/** A redirect whose destination a change removes. It has no ID if only a manifest states it and it does not exist yet. */
export type Broken = Omit<Static<typeof BrokenRedirect>, 'id' | 'destination'> &
  Partial<Static<typeof BrokenRedirect>>;

/** Draws the redirects that a change would leave without a destination; '' if there are none. */
export function drawBroken(broken: readonly Broken[], style: Styler): string {
  if (broken.length === 0) return '';
  const title = `${plural(broken.length, 'redirect')} would lead nowhere:`;
  return `${style(title, ['yellow'])}\n${listBroken(broken)
    .map((line) => `  ${line}\n`)
    .join('')}`;
}

/** Writes the redirects that a change would leave without a destination for a comment on a pull request. */
export function brokenMarkdown(broken: readonly Broken[]): string {
  if (broken.length === 0) return '';
  const lines = listBroken(broken).map((line) => `${line}\n`);
  return `\n#### Redirects that would lead nowhere\n\n\`\`\`text\n${lines.join('')}\`\`\`\n`;
}

/** Warns about redirects that a change has left without a destination. */
export function noteBrokenRedirects(session: Session, broken: readonly Broken[]): void {
  if (broken.length === 0) return;
  session.note(
    `warning: ${plural(broken.length, 'redirect leads', 'redirects lead')} nowhere now. Change or delete ${broken.length === 1 ? 'it' : 'them'}:`,
  );
  for (const line of listBroken(broken)) session.note(`  ${line}`);
}

function listBroken(broken: readonly Broken[]): string[] {
  const lines = broken.map(({ site, source, draft, message }) => {
    const reason = message.replace(/^./, (first) => first.toLowerCase()).replace(/\.$/, '');
    return escapeControls(`${site.title}: ${source} (${draft ? 'draft; ' : ''}${reason})`);
  });
  return listFirst(lines);
}
