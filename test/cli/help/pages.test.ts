import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { helpOf } from '../../../src/cli/composite-command.ts';
import { wordsOf } from '../../../src/cli/command-words.ts';
import { describeCommand } from '../../../src/cli/help/describe-command.ts';
import { docsctl } from '../../support/cli.ts';
import { allCommands } from '../../support/whole-program.ts';

const commands = await allCommands();

describe('help pages', () => {
  it('exist for every command and noun', () => {
    expect(commands.length).toBeGreaterThan(260);
  });

  // The help of a noun defines only the commands that it shows.
  it('of nouns have a summary for every command', async () => {
    const shown = commands.filter((one) => one.parent?.parent === null && one.commands.length > 0);
    expect(shown.length).toBeGreaterThan(15);
    for (const command of shown) {
      const name = command.name();
      const { stdout } = await docsctl([name, '--help'], { home: '/nowhere' });
      expect([name, stdout.match(/^ {2}[a-z-]+$/m)]).toEqual([name, null]);
    }
  });

  it.each(commands.map((command) => [wordsOf(command), command] as const))(
    'docsctl %s has a complete help page',
    (_, command) => {
      expect(command.commands.length > 0 ? faultsOfNoun(command) : faultsOfCommand(command)).toEqual([]);
    },
  );
});

function faultsOfNoun(command: Command): string[] {
  const { description = '', examples } = helpOf(command);
  return [
    ...faultsOfSummary(command.summary()),
    ...(description.length < 30 ? ['has no introduction'] : []),
    ...(examples.length === 0 ? ['has no examples'] : []),
  ];
}

function faultsOfCommand(command: Command): string[] {
  const { words, summary, description, examples, options, arguments: args } = describeCommand(command);
  const isOwn = (line: string) => line.includes(`docsctl ${words}`);
  return [
    ...faultsOfSummary(summary),
    ...(description?.trim() === (description ?? undefined) ? [] : ['has blank lines around its description']),
    ...(examples.some(isOwn) ? [] : ['has no example of its own']),
    ...[...options, ...args].flatMap(({ name, summary: text }) =>
      isFiller(name, text) ? [`does not say what ${name} is`] : [],
    ),
    ...[summary, description ?? '', ...[...options, ...args].map(({ summary: text }) => text)].flatMap(
      (text) => {
        const doubled = doubledIn(text);
        return doubled === undefined ? [] : [`says "${doubled}" twice`];
      },
    ),
  ];
}

function faultsOfSummary(summary: string): string[] {
  return [
    ...(/^[A-Z]/.test(summary) ? [] : ['summary does not begin with a capital']),
    ...(summary.endsWith('.') ? ['summary ends with a period'] : []),
    ...(summary.length > 90 ? ['summary is longer than 90 characters'] : []),
  ];
}

/** Finds words that are repeated directly, or a repeated list of names, such as "by title or ID, by title or ID". */
function doubledIn(text: string): string | undefined {
  const patterns = [
    /\b(\w[^.;()`]*?\w),? \1\b/i,
    /, by [^.;()]*\bor ID, by [^.;()]*\bor ID/,
    /\(default: .*\(default: /,
  ];
  return patterns.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
}

/** Returns whether a text only repeats the name: "site section group id" for `--site-section-group-id`. */
function isFiller(name: string, text: string): boolean {
  const known = new Set([...name.split('-'), 'the', 'a', 'of', 'id']);
  const said = text
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .split(/[^a-z]+/)
    .filter(Boolean);
  return said.every((word) => known.has(word));
}

describe('docsctl help', () => {
  const help = (line: string) => docsctl(['help', ...line.split(' ')], { home: '/nowhere' });

  it.each([
    ['validate foo', '`docsctl validate` has no subcommand "foo".', '`docsctl help validate`'],
    ['--quiet validate foo', '`docsctl validate` has no subcommand "foo".', '`docsctl help validate`'],
    ['space ls foo', '`docsctl spaces list` has no subcommand "foo".', '`docsctl help spaces list`'],
    [
      'access report guest',
      '`docsctl access report` has no subcommand "guest".',
      '`docsctl help access report`',
    ],
    ['spaces lst', 'Unknown command "lst".', '`docsctl spaces list`'],
    ['topcs', 'There is no command or topic "topcs".', '`docsctl help topics`'],
    ['exit-codes 64', 'The topic "exit-codes" has no part "64".', '`docsctl help exit-codes`'],
    ['help validate', 'Unknown command "help".', '`docsctl help validate`'],
  ])('refuses %s', async (line, message, hinted) => {
    const { exit, stdout, stderr } = await help(line);
    expect([exit, stdout]).toEqual([64, '']);
    expect(stderr).toContain(`error: ${message}\n`);
    expect(stderr).toContain(hinted);
  });

  it.each(['validate', 'spaces git connect', 'exit-codes', '-o json spaces list'])(
    'shows help for %s',
    async (line) => {
      expect(await help(line)).toMatchObject({ exit: 0, stderr: '' });
    },
  );

  it('exit-codes lists the checks that exit with each code', async () => {
    const text = (await help('exit-codes')).stdout.replace(/\s+/g, ' ');
    expect(text).toContain('3 Some items failed, or `spaces links --fail-on broken` found broken links.');
    expect(text).toMatch(
      / 9 Refused for safety [^.]*, or a check found problems in a site, a domain, [^.]*\./,
    );
    expect(text).toMatch(/ 69 [^.]*, or `store check`, `audit verify` or `doctor` found a fault\./);
  });

  it('is shown for a command with --help even if there are extra arguments', async () => {
    const { exit, stdout } = await docsctl(['validate', 'foo', '--help'], { home: '/nowhere' });
    expect([exit, stdout]).toEqual([0, expect.stringContaining('Usage: docsctl validate')]);
  });
});
