import type { Command, Help } from 'commander';
import { getOrInsert } from '../../contract/values.ts';
import { helpOf } from '../composite-command.ts';
import { wrap as wrapText } from '../output/width.ts';
import { wordsOf } from '../command-words.ts';
import { verbGroups } from '../commands/groups.ts';
import { describeCommand } from './describe-command.ts';

/** Draws the help of a command, of a noun or of the program. */
export function formatHelpPage(command: Command, help: Help): string {
  if (command.parent === null) return formatProgram(command, help);
  return command.commands.length > 0 ? formatNoun(command, help) : formatCommand(command, help);
}

function formatProgram(program: Command, help: Help): string {
  return page([
    program.description(),
    'Usage: docsctl <command> [options]',
    ...groupsOf(program, help),
    section('Examples', indent(helpOf(program).examples)),
    [
      'docsctl <command> --help        help for a command or a group of commands',
      'docsctl help options            options of every command',
      'docsctl help topics             exit codes, environment variables, names, output',
    ].join('\n'),
  ]);
}

function formatNoun(command: Command, help: Help): string {
  const { description = '', examples } = helpOf(command);
  return page([
    `${command.summary()}.`,
    wrap(description, help),
    `Usage: docsctl ${wordsOf(command)} <command> [options]`,
    ...groupsOf(command, help),
    section('Examples', indent(examples)),
    `docsctl ${wordsOf(command)} <command> --help describes a command.`,
  ]);
}

function formatCommand(command: Command, help: Help): string {
  const {
    summary,
    usage,
    description,
    arguments: args,
    options,
    examples,
    request,
    requires,
    deprecated,
  } = describeCommand(command);
  const argumentItems = args.map(({ name, text }) => [name, text] as const);
  const optionItems = options.map(
    ({ flags, text }) => [flags.startsWith('--') ? `    ${flags}` : flags, text] as const,
  );
  return page([
    `${summary}${deprecated ? ' (deprecated)' : ''}.`,
    `Usage: ${usage}`,
    wrap(description ?? '', help),
    section('Arguments', items(argumentItems, help)),
    section('Options', items(optionItems, help)),
    section('Examples', indent(examples)),
    request === null ? '' : sentence(`Sends ${request} and requires ${requires}.`, help),
    sentence('Options of every command, such as --org, --output and --yes: docsctl help options', help),
  ]);
}

function groupsOf(command: Command, help: Help): string[] {
  const verbs = Object.entries(verbGroups[wordsOf(command)] ?? {});
  const groups = new Map<string, Command[]>(verbs.map(([heading]) => [heading, []]));
  const order = verbs.flatMap(([, names]) => names);
  const visible = help.visibleCommands(command);
  if (command.parent !== null)
    visible.sort(order.length === 0 ? byVerb : (a, b) => order.indexOf(a.name()) - order.indexOf(b.name()));
  for (const one of visible) {
    const group = verbs.find(([, names]) => names.includes(one.name()))?.[0];
    const heading = one.helpGroup() || (group ?? 'Commands:');
    getOrInsert(groups, heading, () => []).push(one);
  }
  const width = Math.max(...command.commands.map((one) => one.name().length));
  return [...groups].map(([heading, commands]) =>
    section(
      heading.replace(/:$/, ''),
      items(
        commands.map((one) => [one.name().padEnd(width), one.summary()] as const),
        help,
      ),
    ),
  );
}

const firstVerbs = ['list', 'get', 'create', 'add', 'update', 'delete'];

/** Compares commands: the common verbs come first, then the others in their order. */
function byVerb(one: Command, other: Command): number {
  const rankOf = (command: Command) => {
    const rank = firstVerbs.indexOf(command.name());
    return rank < 0 ? firstVerbs.length : rank;
  };
  return rankOf(one) - rankOf(other);
}

/** Returns the text of a help page. Empty parts are left out. */
export function page(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Returns a section with a title; '' if the text is empty. */
export function section(title: string, text: string): string {
  return text === '' ? '' : `${title}:\n${text}`;
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}

/** Formats two columns. A term that is too long gets its own line, and on a narrow terminal all terms do. */
export function items(rows: readonly (readonly [term: string, text: string])[], help: Help): string {
  const columns = help.helpWidth ?? 80;
  const termWidth = Math.min(maxTermWidth, Math.max(0, ...rows.map(([term]) => term.length)));
  const isNarrow = columns - termWidth - 4 < minTextWidth;
  const width = isNarrow ? narrowIndent : termWidth;
  return rows
    .flatMap(([term, text]) => {
      const lines = isNarrow
        ? wrapText(text, Math.max(minNarrowWidth, columns - width - 4))
        : help.boxWrap(text, columns - width - 4).split('\n');
      const isLong = isNarrow || term.length > width;
      const first = isLong ? [`  ${term.trimEnd()}`] : [];
      const rest = isLong ? lines : lines.slice(1);
      const head = isLong ? [] : [`  ${term.padEnd(width)}  ${lines[0] ?? ''}`.trimEnd()];
      return [...first, ...head, ...rest.map((line) => ' '.repeat(width + 4) + line)];
    })
    .join('\n');
}

/** Indentation of texts below their terms on a narrow terminal, without the space around a term. */
const narrowIndent = 2;
const minNarrowWidth = 20;
const maxTermWidth = 32;
const minTextWidth = 40;

/** Wraps a sentence to the width of the terminal. A longer word, such as a path, is not broken, so it can be copied. */
function sentence(text: string, help: Pick<Help, 'helpWidth'>): string {
  const width = Math.max(minNarrowWidth, help.helpWidth ?? 80);
  return (text.match(new RegExp(`(?! )(?:\\S{${width + 1},}|.{1,${width}})(?= |$)`, 'g')) ?? []).join('\n');
}

/** Wraps paragraphs, the items of lists, and the second column of lines that begin with a space, to the width of the help. */
export function wrap(text: string, help: Pick<Help, 'boxWrap' | 'helpWidth'>): string {
  const width = help.helpWidth ?? 80;
  const wrapItem = (item: string) =>
    `- ${help.boxWrap(item.slice(2).replaceAll('\n', ' '), width - 2).replaceAll('\n', '\n  ')}`;
  const wrapColumn = (line: string, lead: string, cell: string) =>
    line.length <= width
      ? line
      : lead +
        wrapText(cell, Math.max(minNarrowWidth, width - lead.length)).join(`\n${' '.repeat(lead.length)}`);
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      if (/^ /m.test(paragraph)) return paragraph.replace(/^( +(?:- |\S.*? {2,}))(\S.*)$/gm, wrapColumn);
      return paragraph.startsWith('- ')
        ? paragraph
            .split(/\n(?=- )/)
            .map(wrapItem)
            .join('\n')
        : help.boxWrap(paragraph.replaceAll('\n', ' '), width);
    })
    .join('\n\n');
}
