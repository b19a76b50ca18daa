import { capitalize } from '../../contract/values.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { FieldDiff } from './describe-step.ts';

/** Maximum characters of a comment. Common hosts of pull requests accept a little more. */
const maxCommentLength = 60_000;

interface DiffGroup {
  readonly title: string;
  readonly blocks: readonly string[];
  /** Whether the blocks are expanded. */
  readonly isOpen: boolean;
}

interface MarkdownReport {
  /** The command that creates the report: `plan`. */
  readonly command: string;
  readonly summary: string;
  readonly place: string;
  readonly organization: string;
  readonly table?: string;
  readonly groups: readonly DiffGroup[];
  /** The subject of a block in the singular: `step`. */
  readonly noun: string;
  readonly remarks: readonly string[];
}

/** Writes a report as a comment on an issue or a pull request. Blocks that do not fit are counted. */
export function writeMarkdownReport(report: MarkdownReport): string {
  const { command, summary, place, organization, table = '', groups, noun, remarks } = report;
  const head = `### docsctl ${command}\n\n${capitalize(summary)}\n\nOrganization ${codeSpan(organization)} on ${codeSpan(place)}.\n`;
  const foot = remarks.map((remark) => `\n${escapeMarkdown(remark)}\n`).join('');
  let room = maxCommentLength - head.length - foot.length;
  let omitted = 0;
  const body = groups.map(({ title, blocks, isOpen }) => {
    const shown = blocks.filter((block) => {
      room -= block.length;
      return room > 0;
    });
    omitted += blocks.length - shown.length;
    return shown.length === 0 ? '' : foldDiff({ title, blocks: shown, isOpen });
  });
  const verb = omitted === 1 ? `${noun} is` : `${noun}s are`;
  const more =
    omitted === 0 ? '' : `\n${omitted} more ${verb} not shown here. Run \`docsctl ${command}\` to see all.\n`;
  return `${head}${table}${body.join('')}${more}${foot}`;
}

function foldDiff({ title, blocks, isOpen }: DiffGroup): string {
  const text = blocks.join('');
  const fence = ticksAround(text, 3);
  return `\n<details${isOpen ? ' open' : ''}><summary>${title} (${blocks.length})</summary>\n\n${fence}diff\n${text}${fence}\n\n</details>\n`;
}

/** Writes a field as lines of a diff, with a note after the old value. */
export function writeFieldDiff({ field, before, after, lines }: FieldDiff, note = ''): string {
  if (lines === undefined)
    return `${before === undefined ? '' : `-     ${field}: ${before}${note}\n`}+     ${field}: ${after}${before === undefined ? note : ''}\n`;
  const drawn = lines.map(({ sign, text }) => `${`${sign}       ${text}`.trimEnd()}\n`);
  return `      ${field}:${note}\n${drawn.join('')}`;
}

/** Writes any text as code. */
export function codeSpan(text: string): string {
  const shown = escapeControls(text);
  const ticks = ticksAround(shown, 1);
  return ticks === '`' ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`;
}

/** Returns backticks that do not occur in a text: one more than its longest run, at least `min`. */
function ticksAround(text: string, min: number): string {
  const runs = [...text.matchAll(/`+/g)].filter(([run]) => run.length >= min);
  return '`'.repeat(Math.max(min, ...runs.map(([run]) => run.length + 1)));
}

/** Escapes a text so that it contains no Markdown, HTML or mentions. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[&<>]|[\\`*_{}[\]()#+!|~@]/g, (character) =>
    /[&<>]/.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
}
