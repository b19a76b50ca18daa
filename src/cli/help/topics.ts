import { Help, type Command } from 'commander';
import { isGlobal } from '../global-options.ts';
import type { Runtime } from '../runtime.ts';
import { exitCodeMeanings } from './describe-command.ts';
import { items, page, section, wrap } from './help-page.ts';

/** A page of help about something that all commands have in common. */
interface Topic {
  readonly summary: string;
  readonly text: (program: Command, help: Help) => string;
}

const topics: Readonly<Record<string, Topic>> = {
  options: {
    summary: 'Options of every command',
    text: (program, help) => {
      const groups = new Map<string, [string, string][]>();
      for (const option of program.options.filter(isGlobal)) {
        const group = groups.get(option.helpGroupHeading ?? '') ?? [];
        const flags = option.short === undefined ? `    ${option.flags}` : option.flags;
        const choices = option.argChoices === undefined ? '' : `: ${option.argChoices.join(', ')}`;
        groups.set(option.helpGroupHeading ?? '', [...group, [flags, option.description + choices]]);
      }
      return page(
        [...groups].map(([heading, rows]) => section(heading.replace(/:$/, ''), items(rows, help))),
      );
    },
  },
  'exit-codes': {
    summary: 'What the exit code of a command means',
    text: (_, help) =>
      page([
        items(
          Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning]),
          help,
        ),
        wrap(
          'With `-o json` or `-o ndjson`, an error is one JSON object on standard error. Its `reason` says more than the exit code.',
          help,
        ),
      ]),
  },
  environment: {
    summary: 'Environment variables that docsctl reads',
    text: (_, help) =>
      page([
        items(
          [
            ['DOCSCTL_STORE', 'embedded store, as --store'],
            ['DOCSCTL_SERVER', 'server, as --server (GITBOOK_ENDPOINT is read if it is not set)'],
            ['DOCSCTL_TOKEN', 'API token (GITBOOK_TOKEN is read if it is not set)'],
            ['DOCSCTL_TOKEN_FILE', 'file that holds the API token, as --token-file'],
            ['DOCSCTL_ORG', 'organization, as --org'],
            ['DOCSCTL_PROFILE', 'saved settings, as --profile'],
            ['DOCSCTL_AS', 'member to act as on an embedded store, as --as'],
            ['DOCSCTL_OUTPUT', 'output format, as --output'],
            ['DOCSCTL_CONFIG_DIR', 'folder of the settings file (default: ~/.config/docsctl)'],
            ['NO_COLOR', 'if set, no color is used'],
            ['FORCE_COLOR', 'if set and not 0, color is used on terminals that do not announce it'],
          ],
          help,
        ),
        wrap(
          'Options override variables, variables override .docsctl.yaml, and that overrides the profile. `docsctl config explain` shows where each setting comes from.',
          help,
        ),
      ]),
  },
  names: {
    summary: 'How to name organizations, spaces, pages and other things',
    text: (_, help) =>
      page(
        [
          'Wherever a command takes an ID, it also takes a name: the title of a space, the email address of a member, the path of a page, the number of a change request. Case does not matter unless two names differ only in it.',
          'A name that fits more than one thing is an error that lists their IDs (exit code 5).',
          'Commands that act on one thing act on several: docsctl spaces delete Old Draft --yes. A single "-" reads the IDs from standard input, one per line.',
          'What is written as an argument can be given as an option, too: docsctl spaces get Guide is docsctl spaces get --space Guide.',
        ].map((paragraph) => wrap(paragraph, help)),
      ),
  },
  output: {
    summary: 'Output formats, columns and queries',
    text: (_, help) =>
      page([
        items(
          [
            ['table', 'the default: aligned columns on a terminal, tab-separated columns in a pipe'],
            ['json, yaml', 'the answer of the API with all fields, one document even with --all'],
            ['ndjson', 'one JSON object per line'],
            ['csv, tsv', 'the columns of the table, for spreadsheets and scripts'],
            ['id', 'one ID per line'],
            ['none', 'nothing; errors are still printed'],
          ],
          help,
        ),
        wrap(
          'Results go to standard output. Notes, progress, warnings and errors go to standard error.',
          help,
        ),
        section(
          'Examples',
          [
            'docsctl spaces list --columns title,urls.app',
            "docsctl spaces list --all --query 'items[].title' -o json",
            'docsctl spaces list --sort-by -createdAt',
          ]
            .map((line) => `  ${line}`)
            .join('\n'),
        ),
      ]),
  },
};

/** Prints a topic of `docsctl help TOPIC`. Returns false if there is none of this name. */
export async function printTopic({ terminal }: Runtime, program: Command, name: string): Promise<boolean> {
  const help = Object.assign(new Help(), { helpWidth: Math.min(terminal.columns, 100) });
  if (name === 'topics') {
    const rows = Object.entries(topics).map(
      ([topic, { summary }]) => [`docsctl help ${topic}`, summary] as const,
    );
    await terminal.stdout.write(page([items(rows, help)]));
    return true;
  }
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (topic === undefined) return false;
  await terminal.stdout.write(topic.text(program, help));
  return true;
}
