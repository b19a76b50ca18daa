// Records which parts of src/ each test file runs. coverage.js adds it to the tests as a setup file.
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

/** @typedef {{ generated: number, original: number }} Position the same token in the script and in the source, as offsets */
/** @typedef {{ session: Session, scripts: Map<string, { length: number, positions: Position[] }> }} Recorder */

// The files of a worker share it: V8 compiles and counts each module once.
const shared = /** @type {{ __recorder?: Recorder }} */ (globalThis);
shared.__recorder ??= startRecorder();
const { session, scripts } = shared.__recorder;

/** @returns {Recorder} */
function startRecorder() {
  const started = new Session();
  started.connect();
  started.post('Debugger.enable');
  started.post('Profiler.enable');
  started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return { session: started, scripts: new Map() };
}

/**
 * Sends a command to the inspector of this process, which answers at once.
 *
 * @template T
 * @param {string} method
 * @param {object} [params]
 * @returns {T}
 */
function send(method, params) {
  /** @type {T | undefined} */
  let answer;
  session.post(method, params, (error, result) => {
    if (error !== null) throw error;
    answer = /** @type {T} */ (result);
  });
  if (answer === undefined) throw new Error(`${method} did not answer`);
  return answer;
}

/** @param {string} text */
function lineStarts(text) {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** @param {string} scriptId @param {string} path */
function scriptOf(scriptId, path) {
  let script = scripts.get(scriptId);
  if (script !== undefined) return script;
  /** @type {{ scriptSource: string }} */
  const { scriptSource } = send('Debugger.getScriptSource', { scriptId });
  const map = /\/\/# sourceMappingURL=data:application\/json[^,]*,([\w+/=]+)/.exec(scriptSource)?.[1];
  script = { length: scriptSource.length, positions: [] };
  scripts.set(scriptId, script);
  if (map === undefined) return script;
  const originals = lineStarts(readFileSync(path, 'utf8'));
  const generated = lineStarts(scriptSource);
  // The code that vite puts before the module is on its first line.
  const wrapper = scriptSource.indexOf('{{') + 2;
  const { payload } = new SourceMap(JSON.parse(Buffer.from(map, 'base64').toString()));
  for (const [line, column, originalLine, originalColumn] of decodeMappings(payload.mappings))
    script.positions.push({
      generated: (generated[line] ?? 0) + column + (line === 0 ? wrapper : 0),
      original: (originals[originalLine] ?? 0) + originalColumn,
    });
  script.positions.sort((one, other) => one.original - other.original);
  return script;
}

/**
 * The segments of a source map: line and column in the script, line and column in the source.
 *
 * @param {string} mappings
 * @returns {[number, number, number, number][]}
 */
function decodeMappings(mappings) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  /** @type {[number, number, number, number][]} */
  const found = [];
  let originalLine = 0;
  let originalColumn = 0;
  for (const [line, text] of mappings.split(';').entries()) {
    let column = 0;
    for (const segment of text.split(',')) {
      /** @type {number[]} */
      const values = [];
      let value = 0;
      let shift = 0;
      for (const character of segment) {
        const digit = digits.indexOf(character);
        value += (digit & 31) << shift;
        shift += 5;
        if (digit & 32) continue;
        values.push(value & 1 ? -(value >> 1) : value >> 1);
        value = 0;
        shift = 0;
      }
      column += values[0] ?? 0;
      if (values.length < 4) continue;
      originalLine += values[2] ?? 0;
      originalColumn += values[3] ?? 0;
      found.push([line, column, originalLine, originalColumn]);
    }
  }
  return found;
}

/** @typedef {{ functions: { ranges: { startOffset: number, endOffset: number, count: number }[] }[] }} Counts */

/**
 * What ran: pairs of offsets in the source, of the first token that ran and the next one that did not.
 *
 * @param {Counts} counts
 * @param {{ length: number, positions: Position[] }} script
 */
function ranIn({ functions }, { length, positions }) {
  const ran = new Uint8Array(length + 1);
  // An inner range comes after the one around it.
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges)
      ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  /** @type {number[]} */
  const pairs = [];
  let running = false;
  for (let at = 0; at < positions.length;) {
    const { original } = /** @type {Position} */ (positions[at]);
    let runs = false;
    for (; positions[at]?.original === original; at++) runs ||= ran[positions[at]?.generated ?? length] === 1;
    if (runs !== running) pairs.push(original);
    running = runs;
  }
  if (running) pairs.push(Number.MAX_SAFE_INTEGER);
  return pairs;
}

afterAll(() => {
  const folder = process.env['COVERAGE_FOLDER'] ?? '';
  const root = process.cwd();
  const test = relative(root, expect.getState().testPath ?? '');
  /** @type {{ result: ({ scriptId: string, url: string } & Counts)[] }} */
  const { result } = send('Profiler.takePreciseCoverage');
  /** @type {Record<string, number[]>} */
  const files = {};
  for (const { scriptId, url, ...counts } of result) {
    if (!url.startsWith('file://')) continue;
    const path = fileURLToPath(url);
    if (!path.startsWith(join(root, 'src/'))) continue;
    const pairs = ranIn(counts, scriptOf(scriptId, path));
    const file = relative(root, path);
    // A module that was loaded twice has two scripts.
    if (pairs.length > 0) files[file] = [...(files[file] ?? []), ...pairs];
  }
  writeFileSync(join(folder, `${test.replaceAll('/', '+')}.json`), JSON.stringify(files));
});
