// Changes of src/ that no test can notice, because the program does the same with them. mutate.js leaves them out of its
// samples, and lists how many there are of each reason.

/**
 * `line`: the line as it stands in the file, without its indentation. `from`: the part of it that is changed. `to`: what takes
 * its place, if not each change of that part is meant.
 *
 * @typedef {{ file: string, line: string, from: string, to?: string, why: string }} Equivalent
 */

const pieces = 'only says in how many pieces work is done, or how much is kept to be fast';

const skips = 'only skips fewer comparisons, with the same result';
const bounds = 'only bounds the work on a long text; what is longer than the limit is refused anyway';

const never = 'only differs for a value that does not occur';

const unused = 'only reads what nobody uses';

const turns = 'only gives other work its turn';

const names = 'only says how long a random name is';

/** @type {readonly Equivalent[]} */
export const equivalents = [
  { file: 'src/pdf/budget.ts', line: 'const effortPerTurn = 800;', from: '800', why: pieces },
  {
    file: 'src/content/evaluate.ts',
    line: 'const variablesOf = new RecentMap<Variables>(64);',
    from: '64',
    why: pieces,
  },
  {
    file: 'src/core/porter.ts',
    line: 'if (stems.size >= maxStems) stems.clear();',
    from: 'stems.clear();',
    why: pieces,
  },
  { file: 'src/pdf/canvas.ts', line: 'const sheetsPerCache = 100;', from: '100', why: pieces },
  {
    file: 'src/resources/conversations/analyze-slice.ts',
    line: 'const maxSlice = { conversations: 400, ids: 2000, characters: 4_000_000 };',
    from: '2000',
    why: pieces,
  },
  {
    file: 'src/resources/conversations/stored-state.ts',
    line: 'const readsPerTurn = 64;',
    from: '64',
    why: pieces,
  },
  {
    file: 'src/analysis/neighbors.ts',
    line: 'if (withTopic + afterTopic * other.afterTopic <= threshold) continue;',
    from: '*',
    why: skips,
  },
  {
    file: 'src/pdf/fonts.ts',
    line: 'if (this.#known.size >= maxKnownTexts) this.clearCache();',
    from: 'this.clearCache();',
    why: pieces,
  },
  {
    file: 'src/pdf/draw-front.ts',
    line: 'await canvas.budget.pause(costs.entry);',
    from: 'await canvas.budget.pause(costs.entry);',
    why: turns,
  },
  { file: 'src/ingest/source-stream.ts', line: 'start = 0,', from: '0', why: pieces },
  {
    file: 'src/static-site/build-site.ts',
    line: 'const maxFileBytes = 4_000_000;',
    from: '4_000_000',
    why: pieces,
  },
  { file: 'src/static-site/build-site.ts', line: 'const recordAfter = 500;', from: '500', why: pieces },
  { file: 'src/stores/json-format.ts', line: 'const chunkSize = 1 << 20;', from: '1', why: pieces },
  { file: 'src/stores/json-format.ts', line: 'const chunkSize = 1 << 20;', from: '20', why: pieces },
  {
    file: 'src/translation/glossary.ts',
    line: "const [name, words] = [trimQuotes(source.slice(0, 200)), trimQuotes((target ?? '').slice(0, 200))];",
    from: '200',
    why: bounds,
  },
  {
    file: 'src/resources/change-requests/merge-with-space.ts',
    line: "return `\"${start > 0 ? '…' : ''}${shown}${start + maxShownCharacters < characters.length ? '…' : ''}\"`;",
    from: '0',
    why: never,
  },
  {
    file: 'src/core/run-idempotent.ts',
    line: "for (const old of await tx.find(answers, { index: 'byExpiry', equals: [], limit: 4 })) {",
    from: '4',
    why: pieces,
  },
  {
    file: 'src/resources/content/integration-pages/page-computer.ts',
    line: 'const maxKeptBytes = 256 * 1024;',
    from: '1024',
    why: pieces,
  },
  {
    file: 'src/resources/content/integration-pages/page-computer.ts',
    line: 'const maxKeptBytes = 256 * 1024;',
    from: '256',
    why: pieces,
  },
  { file: 'src/stores/sqlite/upgrade.ts', line: 'const batchSize = 200;', from: '200', why: pieces },
  {
    file: 'src/cli/manifest/collect-moved.ts',
    line: '{ spaces, ...(structure.length > 0 && { structure }), links: false },',
    from: 'false',
    why: unused,
  },
  {
    file: 'src/app-pages/content-place.ts',
    line: 'query: { texts: false, metadata: false },',
    from: 'false',
    why: unused,
  },
  {
    file: 'src/stores/postgres/read-plans.ts',
    line: "return typeof start === 'string' && typeof end === 'string' ? start + middle + end : undefined;",
    from: '&&',
    why: unused,
  },
  {
    file: 'src/specification/resolve-identifiers.ts',
    line: "if (pointer.length > 0 && typeof $id === 'string') {",
    from: '0',
    why: never,
  },
  {
    file: 'src/content/tree.ts',
    line: 'return one.id < other.id ? -1 : 1;',
    from: '<',
    why: never,
  },
  {
    // The names of branches are distinct.
    file: 'src/content/trie.ts',
    line: 'const inReverse = Object.entries(branches ?? {}).sort(([one], [other]) => (one < other ? 1 : -1));',
    from: '<',
    why: never,
  },
  {
    // No block of text is followed by ")": a line that starts with it continues the block.
    file: 'src/richtext/scan-inlines.ts',
    line: 'return last < end && text.charCodeAt(last) === close ? { href, at: last } : undefined;',
    from: '<',
    why: never,
  },
  {
    file: 'src/ingest/read-csv.ts',
    line: "const [line = ''] = chunk.toString('utf8', 0, 65_536).split(/[\\r\\n]/, 1);",
    from: '1',
    why: unused,
  },
  { file: 'src/stores/backup/read-backup.ts', line: '#count = 0;', from: '0', why: unused },
  { file: 'src/publishing/page-cache.ts', line: 'const overhead = 2000;', from: '2000', why: pieces },
  {
    file: 'src/content/evaluate.ts',
    line: 'variablesOf.set(root, variables);',
    from: 'variablesOf.set(root, variables);',
    why: pieces,
  },
  {
    file: 'src/content/search-sections.ts',
    line: 'await yieldToEvents();',
    from: 'await yieldToEvents();',
    why: turns,
  },
  {
    file: 'src/content/describe-blocks.ts',
    line: 'let length = 0;',
    from: '0',
    why: bounds,
  },
  {
    // A blank line never starts where a comment starts.
    file: 'src/richtext/without-comments.ts',
    line: 'if (blank < index) {',
    from: '<',
    why: never,
  },
  {
    // The expression that is searched in the part matches 100 characters and a line break.
    file: 'src/richtext/without-comments.ts',
    line: 'if (!blockStart.test(text.slice(Math.max(0, index - 101), index))) {',
    from: '101',
    why: bounds,
  },
  {
    file: 'src/stores/postgres/transactions.ts',
    line: "while ((await lease.script(script))[0]?.[0] !== 't') await lease.command('ROLLBACK');",
    from: "await lease.command('ROLLBACK');",
    why: 'only keeps the server from logging a warning',
  },
  {
    file: 'src/cli/commands/store/migrate.ts',
    line: "newName: Buffer.from(runtime.randomBytes(8)).toString('hex'),",
    from: '8',
    why: names,
  },
  {
    file: 'src/cli/commands/store/restore.ts',
    line: "const newName = Buffer.from(runtime.randomBytes(8)).toString('hex');",
    from: '8',
    why: names,
  },
  {
    file: 'src/content/collection/collector.ts',
    line: 'const limits = { nodes: 200, rows: 100, bytes: 1024 * 1024, references: 100 };',
    from: '200',
    why: pieces,
  },
];
