// Writes the reference of the commands as Markdown for docs/, from the output of `docsctl commands -o json`. man-page.js writes man pages.

/**
 * @typedef {import('../src/cli/commands/commands.ts').CommandEntry} Command
 * @typedef {import('../src/cli/commands/commands.ts').NounEntry} Noun
 * @typedef {import('../src/cli/help/describe-command.ts').OptionDescription} Option
 * @typedef {{ items: readonly Command[], nouns: readonly Noun[], globalOptions: readonly Option[] }} Listing
 */

/**
 * Returns the pages of the reference by their names, such as "sites". A page has all commands that begin with this word.
 *
 * @param {Listing} listing
 * @returns {Map<string, { noun: Noun | undefined, nouns: Noun[], commands: Command[] }>}
 */
export function pagesOf({ items, nouns }) {
  const pages = new Map();
  for (const command of items) {
    const [first = ''] = command.id.split(' ');
    const page = pages.get(first) ?? {
      noun: nouns.find(({ id }) => id === first),
      nouns: nouns.filter(({ id }) => id.startsWith(`${first} `)),
      commands: [],
    };
    page.commands.push(command);
    pages.set(first, page);
  }
  return pages;
}

/**
 * The list of all pages, by the groups of `docsctl --help`.
 *
 * @param {Listing} listing
 */
export function toIndex(listing) {
  const groups = new Map();
  for (const [name, { noun, commands }] of pagesOf(listing)) {
    const entry = noun ?? commands[0];
    if (entry === undefined) continue;
    const line = `- [${name}](${name}.md): ${lower(entry.summary)}`;
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), line]);
  }
  const parts = [
    '# Commands',
    'Every command with its arguments, options and examples. `docsctl <command> --help` shows the same.',
  ];
  for (const [group, lines] of groups) parts.push(`## ${group}`, lines.join('\n'));
  const options = listing.globalOptions.map(({ flags, text }) => `- \`${flags}\`: ${escape(text)}`);
  parts.push('## Options of every command', options.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {string} name
 * @param {{ noun: Noun | undefined, nouns: Noun[], commands: Command[] }} page
 */
export function toMarkdown(name, { noun, nouns, commands }) {
  const parts = [
    `# ${name}`,
    ...(noun === undefined
      ? []
      : [sentence(noun.summary), noun.description.trim(), codeBlock(noun.examples), commandTable(commands)]),
  ];
  const groups = new Set([name]);
  for (const command of commands) {
    const parent = command.id.split(' ').slice(0, -1).join(' ');
    const inner = nouns.find(({ id }) => id === parent);
    if (inner !== undefined && !groups.has(parent)) {
      groups.add(parent);
      if (inner.description !== '')
        parts.push(`## ${inner.id}`, sentence(inner.summary), inner.description.trim());
    }
    parts.push(...commandMarkdown(command, noun === undefined ? '' : '## '));
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * @param {Command} command
 * @param {string} heading
 */
function commandMarkdown(command, heading) {
  const {
    id,
    summary,
    usage,
    description,
    arguments: args,
    options,
    examples,
    request,
    requires,
    deprecated,
  } = command;
  const items = [
    ...args.map(({ name, text }) => [`<${name}>`, text]),
    ...options.map(({ flags, text }) => [flags, text]),
  ];
  return [
    ...(heading === '' ? [] : [`${heading}${id}`]),
    `${sentence(summary)}${deprecated ? ' Deprecated.' : ''}`,
    codeBlock([usage], 'text'),
    paragraphs(description ?? ''),
    items.map(([term, text = '']) => `- \`${term}\`: ${escape(text)}`).join('\n'),
    codeBlock(examples),
    request === null ? '' : `Sends \`${request}\` and requires ${requires}.`,
  ];
}

/** @param {readonly Command[]} commands */
function commandTable(commands) {
  const rows = commands.map(
    ({ id, summary }) => `| [${id}](#${id.replaceAll(' ', '-')}) | ${escape(summary)} |`,
  );
  return ['| Command | What it does |', '| --- | --- |', ...rows].join('\n');
}

/**
 * @param {readonly string[]} lines
 * @param {string} language
 */
function codeBlock(lines, language = 'sh') {
  return lines.length === 0 ? '' : [`\`\`\`${language}`, ...lines, '```'].join('\n');
}

/**
 * Text of help as Markdown: paragraphs with lines that begin with a space are shown as they are.
 *
 * @param {string} text
 */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) =>
      /^ /m.test(paragraph) ? ['```text', paragraph, '```'].join('\n') : itemsOf(paragraph).join('\n'),
    )
    .join('\n\n');
}

/**
 * The items of a list, or the paragraph itself, each in one line.
 *
 * @param {string} paragraph
 */
export function itemsOf(paragraph) {
  const items = paragraph.startsWith('- ') ? paragraph.split(/\n(?=- )/) : [paragraph];
  return items.map((item) => item.replaceAll('\n', ' '));
}

/**
 * A summary with a full stop.
 *
 * @param {string} text
 */
export function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<');
}

/**
 * A summary as the rest of a sentence. Names such as OpenAPI keep their capitals.
 *
 * @param {string} text
 */
export function lower(text) {
  return /^(?:A|[A-Z][a-z]+)(?![A-Za-z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
