import { Help, type Command } from 'commander';
import { ownValue } from '../../contract/values.ts';
import { nearest, strictShare } from '../../contract/nearest.ts';
import { Problem } from '../../errors/problem.ts';
import { isGlobal } from '../settings/global-options.ts';
import { firstWords } from '../commands/groups.ts';
import type { Runtime } from '../runtime.ts';
import { nounFor } from '../verbs.ts';
import { exitCodeMeanings } from './describe-command.ts';
import { items, page, section, wrap } from './help-page.ts';

/** A help page about a topic that concerns all commands. */
interface Topic {
  readonly summary: string;
  readonly text: (program: Command, help: Help) => string;
}

export const topics: Readonly<Record<string, Topic>> = {
  'getting-started': {
    summary: 'From nothing to a site in a few commands',
    text: (_, help) =>
      page([
        wrap(
          'Create a store with an organization. It is one file on this machine, and you are its administrator.',
          help,
        ),
        '  docsctl init --org-title Acme --email you@example.com',
        wrap('Create a space, fill it from a folder of Markdown, and read a page:', help),
        [
          '  docsctl spaces create --title Guide',
          '  docsctl spaces import Guide docs',
          '  docsctl pages show Guide quickstart',
        ].join('\n'),
        wrap('Publish it as a site:', help),
        [
          '  docsctl sites create --title Docs',
          '  docsctl sites site-spaces add Guide --site Docs',
          '  docsctl sites publish Docs',
        ].join('\n'),
        wrap(
          'Serve the API and the site on this machine. `docsctl serve --help` says how other machines can reach the server.',
          help,
        ),
        '  docsctl serve --sites-port 8081',
        wrap(
          'Use the server from another machine. The file contains the token that `docsctl init` printed:',
          help,
        ),
        '  docsctl login --server https://docs.example.com --token-file token.txt',
        wrap(
          '`docsctl doctor` checks the setup, `docsctl <command> --help` describes a command, and `docsctl help topics` lists more pages like this one.',
          help,
        ),
      ]),
  },
  stores: {
    summary: 'Where data is kept: embedded stores, servers and profiles',
    text: (_, help) =>
      page([
        wrap(
          'A command runs on an embedded store or on a server. The first of these that is set decides: the option --store or --server, the variable DOCSCTL_STORE or DOCSCTL_SERVER, the profile. If none is set, commands use a SQLite file in your data folder.',
          help,
        ),
        items(
          [
            ['sqlite:PATH', 'a SQLite file, which several processes can use at the same time'],
            ['json:PATH', 'a JSON file that people can read, for small organizations and tests'],
            ['postgres://USER@HOST/DATABASE', 'a PostgreSQL database, for several servers and machines'],
            ['memory:', 'a store that is lost when the command ends, for trying out `docsctl serve`'],
            [
              'PATH',
              'a path without a prefix: a name that ends in .db or .sqlite is a SQLite file, .json is a JSON file',
            ],
            ['https://…', 'with --server: a server, which `docsctl serve` runs on a store'],
          ],
          help,
        ),
        wrap(
          'Only `docsctl init`, `docsctl store restore` and `docsctl store migrate` create a store, so a mistyped path is an error and not an empty store. On an embedded store, you act as its administrator, or as the member that --as names. On a server, the token says who you are.',
          help,
        ),
        wrap(
          'A profile saves a server with its token, or a store, under a name (`docsctl login`, `docsctl profiles list`). A .docsctl.yaml in a folder chooses the profile, the organization, the space and the site for that folder and those below it (`docsctl config set space Guide --project`).',
          help,
        ),
        wrap(
          'The token, organization, space and site of a profile are used only on its server or store. If --store or a variable names another server or store, docsctl ignores these settings, and `docsctl config explain` says so. If a profile has no server or store, its settings apply to the server or store that the variables name, or else to the default store.',
          help,
        ),
        wrap(
          'Tokens are kept in the settings file, which only its owner can read. docsctl collects no data. It sends requests only to the server that you choose and to services that you configure.',
          help,
        ),
      ]),
  },
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
            ['DOCSCTL_STORE', 'embedded store, like --store'],
            ['DOCSCTL_SERVER', 'server, like --server (if it is not set, GITBOOK_ENDPOINT is read)'],
            ['DOCSCTL_TOKEN', 'API token (if it is not set, GITBOOK_TOKEN is read)'],
            ['DOCSCTL_TOKEN_FILE', 'file that holds the API token, like --token-file'],
            ['DOCSCTL_ORG', 'organization, like --org'],
            ['DOCSCTL_SPACE', 'space for commands that need one, when --space is not given'],
            ['DOCSCTL_SITE', 'site for commands that need one, when --site is not given'],
            ['DOCSCTL_PROFILE', 'profile, like --profile'],
            ['DOCSCTL_AS', 'member to act as on an embedded store, like --as'],
            [
              'DOCSCTL_PUBLIC_URL',
              'base of the addresses that commands on a store print, like the setting public-url',
            ],
            ['DOCSCTL_SITES_URL', 'base of the addresses of sites, like the setting sites-url'],
            ['DOCSCTL_OUTPUT', 'output format, like --output'],
            ['DOCSCTL_HISTORY', 'off keeps no history of changes (see `docsctl history --help`)'],
            [
              'DOCSCTL_GIT_CREDENTIALS',
              'USER:PASSWORD of an https repository, for `docsctl spaces git-sync`',
            ],
            [
              'DOCSCTL_ALLOW_PRIVATE',
              'addresses, networks and hosts in your own network that docsctl may send requests to, separated by commas',
            ],
            [
              'DOCSCTL_BLOBS',
              'folder or object store that keeps the large files of a store: folder:PATH or s3://BUCKET/PREFIX',
            ],
            [
              'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION',
              'keys and region of the object store that DOCSCTL_BLOBS names',
            ],
            [
              'DOCSCTL_SECRET_KEY',
              'key that encrypts the secrets in a store (default: the key in the file beside the store whose name ends in .key)',
            ],
            [
              'DOCSCTL_TRANSLATION',
              'service that translates pages: openai, deepl or libretranslate; pseudo only marks text, for trials',
            ],
            ['DOCSCTL_NO_INPUT', 'if set to 1, docsctl never asks, as with --no-input'],
            ['DOCSCTL_CA_FILE', 'certificates to trust in requests, like --ca-file'],
            [
              'HTTPS_PROXY, HTTP_PROXY',
              'proxy for requests to servers and services; not used for requests to this machine',
            ],
            ['NO_PROXY', 'hosts, domains and networks to reach without the proxy, separated by commas'],
            [
              'DOCSCTL_PAGER',
              'program that shows output longer than the screen; empty for none (default: PAGER, else less -FRX)',
            ],
            [
              'VISUAL, EDITOR',
              'editor for `docsctl pages edit`, --edit and conflicts of change requests; VISUAL is used first',
            ],
            ['BROWSER', 'browser for `docsctl open` and --web'],
            [
              'DOCSCTL_CONFIG_DIR',
              'folder of the settings file (default: docsctl in XDG_CONFIG_HOME, else ~/.config/docsctl)',
            ],
            ['XDG_DATA_HOME', 'folder of the default store, docsctl/docsctl.db (default: ~/.local/share)'],
            ['NO_COLOR', 'if set, no color is used'],
            ['TERM', 'if set to dumb, no color or pager is used'],
            ['FORCE_COLOR', 'if set and not 0, color is used in pipes too; tables stay tab-separated'],
          ],
          help,
        ),
        wrap(
          'Options override variables, variables override .docsctl.yaml, and .docsctl.yaml overrides the profile. `docsctl config explain` shows where each setting comes from.\n\nEvery option of `docsctl serve` also has a variable (see `docsctl serve --help`). The page "Operations" of the guide lists the variables of services, such as DOCSCTL_OPENAI_KEY.',
          help,
        ),
      ]),
  },
  names: {
    summary: 'How to name organizations, spaces, pages and other things',
    text: (_, help) =>
      page(
        [
          'Most commands that take an ID also take a name: the title of a space, the email address or name of a member, the path or file of a page, the number of a change request. Upper and lower case do not matter, unless two names differ only in case. The name `me` stands for you.',
          'If a name matches more than one thing, the command fails with exit code 5 and lists their IDs.',
          'Most commands that take one thing also take several: `docsctl spaces delete "Old guide" Template --yes`. A single "-" reads names or IDs from standard input, one per line.',
          'Some arguments are also options: `docsctl spaces get Guide` and `docsctl spaces get --space Guide` do the same.',
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
            ['json, yaml', 'the response of the API with all fields; one document, even with --all'],
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
            "docsctl spaces list --query 'items[].title' -o json",
            'docsctl spaces list --sort-by -createdAt',
          ]
            .map((line) => `  ${line}`)
            .join('\n'),
        ),
      ]),
  },
};

/** Prints a topic of `docsctl help TOPIC`. Returns false if there is none of this name. @throws Problem(usage) for more words */
export async function printTopic(
  { terminal }: Runtime,
  program: Command,
  [name = '', extra]: readonly string[],
): Promise<boolean> {
  const isTopic = name === 'topics' || Object.hasOwn(topics, name);
  if (isTopic && extra !== undefined)
    throw new Problem('usage', `The topic "${name}" has no part "${extra}".`, {
      hint: `To see all of it, run \`docsctl help ${name}\`.`,
    });
  const help = Object.assign(new Help(), { helpWidth: Math.min(terminal.columns, 100) });
  if (name === 'topics') {
    const rows = Object.entries(topics).map(
      ([topic, { summary }]) => [`docsctl help ${topic}`, summary] as const,
    );
    await terminal.stdout.write(page([items(rows, help)]));
    return true;
  }
  const topic = ownValue(topics, name);
  if (topic === undefined) {
    const commands = Object.values(firstWords).flat();
    const isCommand = commands.includes(name) || nounFor(name, commands) !== undefined;
    const [close] = isCommand ? [] : nearest(name, ['topics', ...Object.keys(topics)], strictShare);
    if (close === undefined) return false;
    throw new Problem('usage', `There is no command or topic "${name}".`, {
      hint: `Did you mean \`docsctl help ${close}\`?`,
    });
  }
  await terminal.stdout.write(topic.text(program, help));
  return true;
}
