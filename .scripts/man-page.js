// Writes man pages in the macros of man(7), from the output of `docsctl commands -o json` and of help topics.
import { itemsOf, lower, pagesOf, sentence } from './reference.js';

/**
 * @typedef {import('./reference.js').Listing} Listing
 * @typedef {import('./reference.js').Command} Command
 * @typedef {import('./reference.js').Noun} Noun
 */

/**
 * The texts of `docsctl help environment` and `docsctl help exit-codes`.
 *
 * @typedef {{ environment: string, exitCodes: string }} Topics
 */

const description = `docsctl administers a documentation platform from the command line: organizations, members, teams, collections,
spaces, change requests, sites, OpenAPI specifications, integrations, support conversations and translations.

Every command works on an embedded store, which needs no server, or against a server. \`docsctl serve\` serves the API of a
store over HTTP. To begin, run \`docsctl init --org-title TITLE --email EMAIL\`.`;

/** @type {readonly (readonly [string, string])[]} */
const files = [
  ['~/.config/docsctl/config.json', 'settings and tokens of profiles; only you can read it'],
  ['~/.config/docsctl/history.ndjson', 'changes that commands on this machine made; see `docsctl history`'],
  ['~/.local/share/docsctl/docsctl.db', 'embedded store, if no other one is chosen'],
  ['.docsctl.yaml', 'settings of a project, in its folder or one above'],
  ['docsctl.yaml, docsctl.state.json', 'manifest, and the state file beside it; see `docsctl apply --help`'],
];

const examples = [
  'docsctl init --org-title Acme --email ana@acme.test',
  'docsctl spaces create --title Handbook',
  'docsctl spaces import Handbook ./docs',
  'docsctl spaces list -o json',
];

/**
 * A man page.
 *
 * @param {string} name the first word of the commands, or "" for the page of docsctl itself
 * @param {Listing} listing
 * @param {{ version: string, topics: Topics }} about
 */
export function toManPage(name, listing, { version, topics }) {
  const page = pagesOf(listing).get(name);
  const title = ['docsctl', name].filter(Boolean).join('-');
  const summary = page?.noun?.summary ?? page?.commands[0]?.summary ?? 'Administer a documentation platform';
  const lines = [
    `.TH ${roff(title.toUpperCase())} 1 "" "docsctl ${version}" "docsctl manual"`,
    // Neither hyphens nor wide spaces in lines: names of options and commands stay whole.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${roff(title)} \\- ${roff(lower(summary))}`,
    '.SH SYNOPSIS',
    ...(page === undefined
      ? mainPage(listing, topics)
      : page.noun === undefined
        ? commandPage(page.commands, topics)
        : nounPage(name, page.noun, page.commands, topics)),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * @param {Listing} listing
 * @param {Topics} topics
 */
function mainPage(listing, { environment, exitCodes }) {
  const pages = [...pagesOf(listing)];
  // Nouns come in the order of `docsctl --help`.
  /** @type {Map<string, string[]>} */
  const groups = new Map(listing.nouns.map(({ group }) => [group, []]));
  for (const [word, { noun, commands }] of pages) {
    const entry = noun ?? commands[0];
    if (entry === undefined) continue;
    const lines = term(bold(word), entry.summary);
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), ...lines]);
  }
  return [
    bold('docsctl <command> [options]'),
    '.SH DESCRIPTION',
    ...prose(description),
    '.SH COMMANDS',
    ...[...groups].flatMap(([group, lines]) => [`.SS ${roff(group)}`, ...lines]),
    '.SH OPTIONS',
    'Every command takes these options.',
    ...listing.globalOptions.flatMap(({ flags, text }) => term(bold(flags), text)),
    '.SH ENVIRONMENT',
    ...topicLines(environment),
    '.SH FILES',
    ...files.flatMap(([path, text]) => term(italic(path), text)),
    '.SH EXIT STATUS',
    ...topicLines(exitCodes),
    '.SH EXAMPLES',
    ...code(examples),
    '.SH SEE ALSO',
    pages.map(([word]) => `${bold(`docsctl-${word}`)}(1)`).join(',\n'),
  ];
}

/**
 * The page of a command that belongs to no noun.
 *
 * @param {readonly Command[]} commands
 * @param {Topics} topics
 */
function commandPage(commands, { exitCodes }) {
  return commands.flatMap((command) => {
    const status = ownExitCodes(command, exitCodes);
    const options = fields(command);
    return [
      bold(command.usage),
      '.SH DESCRIPTION',
      ...prose(command.description ?? sentence(command.summary)),
      ...(options.length === 0 ? [] : ['.SH OPTIONS', ...options]),
      ...(status.length === 0 ? [] : ['.SH EXIT STATUS', ...status]),
      ...(command.examples.length === 0 ? [] : ['.SH EXAMPLES', ...code(command.examples)]),
      ...seeAlso(),
    ];
  });
}

/**
 * @param {string} name
 * @param {Noun} noun
 * @param {readonly Command[]} commands
 * @param {Topics} topics
 */
function nounPage(name, noun, commands, { exitCodes }) {
  const lines = [
    bold(`docsctl ${name} <command> [options]`),
    '.SH DESCRIPTION',
    ...prose(noun.description),
    ...(noun.examples.length === 0 ? [] : ['.SH EXAMPLES', ...code(noun.examples)]),
    '.SH COMMANDS',
  ];
  for (const command of commands) {
    const status = ownExitCodes(command, exitCodes);
    lines.push(
      `.SS ${roff(command.id)}`,
      roff(sentence(command.summary)),
      '.PP',
      bold(command.usage),
      ...prose(command.description ?? ''),
      ...fields(command),
      ...(status.length === 0 ? [] : ['.PP', 'Exit status:', ...status]),
      ...(command.examples.length === 0
        ? []
        : ['.PP', command.examples.length === 1 ? 'Example:' : 'Examples:', ...code(command.examples)]),
    );
  }
  return [...lines, ...seeAlso()];
}

function seeAlso() {
  return ['.SH SEE ALSO', `${bold('docsctl')}(1), which lists the options of every command`];
}

/** @param {Command} command */
function fields({ arguments: args, options }) {
  return [
    ...args.flatMap(({ name, text }) => term(italic(`<${name}>`), text)),
    ...options.flatMap(({ flags, text }) => term(bold(flags), text)),
  ];
}

/**
 * The exit codes that mean something special for a command.
 *
 * @param {Command} command
 * @param {string} common the text of `docsctl help exit-codes`
 */
function ownExitCodes({ exitCodes }, common) {
  const known = new Map(readTerms(common).map(([status, text]) => [status, text]));
  return Object.entries(exitCodes)
    .filter(([status, text]) => known.get(status) !== text)
    .flatMap(([status, text]) => term(bold(status), text));
}

/**
 * The terms of a help topic, each with its text, without the paragraphs after them.
 *
 * @param {string} topic
 * @returns {[term: string, text: string][]}
 */
function readTerms(topic) {
  /** @type {[string, string][]} */
  const terms = [];
  for (const line of topic.split('\n')) {
    const [, name, text = ''] = /^ {2}(\S+(?: \S+)*) {2,}(\S.*)$/.exec(line) ?? [];
    const last = terms.at(-1);
    if (name !== undefined) terms.push([name, text]);
    else if (last !== undefined && /^ {3,}\S/.test(line)) last[1] += ` ${line.trim()}`;
  }
  return terms;
}

/** @param {string} topic */
function topicLines(topic) {
  const paragraphs = topic.trimEnd().split(/\n{2,}/).filter((paragraph) => !/^ {2}/.test(paragraph)); // prettier-ignore
  return [
    ...readTerms(topic).flatMap(([name, text]) => term(bold(name), text)),
    ...prose(paragraphs.join('\n\n')),
  ];
}

/**
 * @param {string} head what is described, in roff
 * @param {string} text
 */
function term(head, text) {
  return ['.TP', head, marked(text)];
}

/** @param {readonly string[]} lines */
function code(lines) {
  return ['.PP', '.RS 4', '.nf', ...lines.map(roff), '.fi', '.RE'];
}

/**
 * Paragraphs of help. Those with lines that begin with a space are shown as they are.
 *
 * @param {string} text
 */
function prose(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '')
    .flatMap((paragraph) =>
      /^ /m.test(paragraph)
        ? ['.PP', '.nf', ...paragraph.split('\n').map(roff), '.fi']
        : itemsOf(paragraph).flatMap((item) => ['.PP', marked(item)]),
    );
}

/**
 * Text for roff, with the commands in backticks in bold.
 *
 * @param {string} text
 */
function marked(text) {
  return roff(text).replace(/`([^`]+)`/g, '\\fB$1\\fR');
}

/** @param {string} text */
function bold(text) {
  return `\\fB${roff(text)}\\fR`;
}

/** @param {string} text */
function italic(text) {
  return `\\fI${roff(text)}\\fR`;
}

/**
 * Escapes text for roff: backslashes, dashes, and control characters at the start of a line.
 *
 * @param {string} text
 */
function roff(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${hex(letter)}]`);
}

/** @param {string} letter */
function hex(letter) {
  return (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
