import { escapeControls } from '../output/escape-controls.ts';
import type { ShownChange } from './shown-step.ts';

/** Characters of a comment that the usual hosts of pull requests take, with room for what stands around it. */
export const mostOfComment = 60_000;

/** Blocks of a diff that open at a click. */
export function folded(title: string, blocks: readonly string[], isOpen: boolean): string {
  const text = blocks.join('');
  // A fence ends at one that is as long: titles may hold some.
  const fence = '`'.repeat(
    [...text.matchAll(/`{3,}/g)].reduce((longest, [run]) => Math.max(longest, run.length + 1), 3),
  );
  return `\n<details${isOpen ? ' open' : ''}><summary>${title} (${blocks.length})</summary>\n\n${fence}diff\n${text}${fence}\n\n</details>\n`;
}

/** A field as lines of a diff; `note` stands behind what was before. */
export function diffOf({ field, before, after, lines }: ShownChange, note: string): string {
  if (lines === undefined)
    return `${before === undefined ? '' : `-     ${field}: ${before}${note}\n`}+     ${field}: ${after}${before === undefined ? note : ''}\n`;
  const drawn = lines.map(({ sign, text }) => `${`${sign}       ${text}`.trimEnd()}\n`);
  return `      ${field}:${note}\n${drawn.join('')}`;
}

/** Text as code, whatever stands in it. */
export function code(text: string): string {
  const shown = escapeControls(text);
  const ticks = '`'.repeat(
    [...shown.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length + 1), 1),
  );
  return ticks === '`' ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`;
}

/** Text that is no Markdown, no HTML and mentions nobody. */
export function escaped(text: string): string {
  return text.replace(/[&<>]|[\\`*_{}[\]()#+!|~@]/g, (character) =>
    /[&<>]/.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
}
