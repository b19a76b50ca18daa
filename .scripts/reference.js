// Writes the reference of the commands, as Markdown for docs/ and as man pages, from the output of `docsctl commands -o json`.

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
  let group = name;
  for (const command of commands) {
    const parent = command.id.split(' ').slice(0, -1).join(' ');
    const inner = nouns.find(({ id }) => id === parent);
    if (inner !== undefined && parent !== group) {
      group = parent;
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
      /^ /m.test(paragraph) ? ['```text', paragraph, '```'].join('\n') : paragraph.replaceAll('\n', ' '),
    )
    .join('\n\n');
}

/** @param {string} text */
function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<');
}

/**
 * A man page in the man(7) macros.
 *
 * @param {string} name the first word of the commands, or "" for the page of docsctl itself
 * @param {Listing} listing
 * @param {string} version
 */
export function toManPage(name, listing, version) {
  const page = pagesOf(listing).get(name);
  const title = ['docsctl', name].filter(Boolean).join('-');
  const lines = [
    `.TH ${roff(title.toUpperCase())} 1 "" "docsctl ${version}" "docsctl manual"`,
    '.SH NAME',
    roff(
      `${title} - ${page === undefined ? 'administer a documentation platform' : lower((page.noun ?? page.commands[0])?.summary ?? '')}`,
    ),
    '.SH SYNOPSIS',
  ];
  if (page === undefined) {
    lines.push(roff('docsctl <command> [options]'), '.SH COMMANDS');
    for (const [word, { noun, commands }] of pagesOf(listing))
      lines.push('.TP', `\\fB${roff(word)}\\fR`, roff((noun ?? commands[0])?.summary ?? ''));
    lines.push(
      '.SH OPTIONS',
      'Every command takes these options.',
      ...listing.globalOptions.flatMap(optionLines),
    );
    lines.push(
      '.SH SEE ALSO',
      [...pagesOf(listing).keys()].map((word) => `\\fBdocsctl-${roff(word)}\\fR(1)`).join(', '),
    );
    return `${lines.join('\n')}\n`;
  }
  const { noun, commands } = page;
  lines.push(roff(noun === undefined ? (commands[0]?.usage ?? '') : `docsctl ${name} <command> [options]`));
  if (noun !== undefined)
    lines.push('.SH DESCRIPTION', ...roffParagraphs(noun.description), ...exampleLines(noun.examples));
  lines.push('.SH COMMANDS');
  for (const command of commands) {
    lines.push(
      `.SS ${roff(command.id)}`,
      roff(sentence(command.summary)),
      '.PP',
      `\\fB${roff(command.usage)}\\fR`,
    );
    if (command.description !== null) lines.push('.PP', ...roffParagraphs(command.description));
    for (const { name: argument, text } of command.arguments)
      lines.push('.TP', `\\fI${roff(argument)}\\fR`, roff(text));
    lines.push(...command.options.flatMap(optionLines), ...exampleLines(command.examples));
  }
  lines.push('.SH SEE ALSO', '\\fBdocsctl\\fR(1)');
  return `${lines.join('\n')}\n`;
}

/** @param {Option} option */
function optionLines({ flags, text }) {
  return ['.TP', `\\fB${roff(flags)}\\fR`, roff(text)];
}

/** @param {readonly string[]} examples */
function exampleLines(examples) {
  return examples.length === 0 ? [] : ['.PP', '.nf', ...examples.map((line) => `    ${roff(line)}`), '.fi'];
}

/** @param {string} text */
function roffParagraphs(text) {
  return text
    .trim()
    .split(/\n{2,}/)
    .flatMap((paragraph) =>
      /^ /m.test(paragraph)
        ? ['.PP', '.nf', ...paragraph.split('\n').map(roff), '.fi']
        : ['.PP', roff(paragraph.replaceAll('\n', ' '))],
    );
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

/** @param {string} text */
function lower(text) {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
