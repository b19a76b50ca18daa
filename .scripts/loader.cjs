// pack-chunks.js puts this code at the end of dist/main.js. It loads chunks, and the packs that contain them, on first use.
'use strict';
const fs = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** @type {Map<number, { exports: unknown }>} */
const loaded = new Map();
/** @type {Map<string, Pack>} */
const packs = new Map([['main', __chunks]]);
/** @typedef {Map<string, import('node:vm').Script>} Scripts compiled packs by the name of the file for what V8 made of each */
/** @type {Scripts} */
const compiled = new Map();
/** @type {Scripts} Those without a file that can be used. */
const uncached = new Map();
/** @type {string | undefined | false} The cache folder of the user, if it is safe; undefined until it was looked for. */
let own;
/** Caches of other versions of docsctl are removed after so many milliseconds. */
const maxAge = 30 * 24 * 60 * 60 * 1000;
/** What files are read into, one after the other. Memory that a process has not touched yet costs more than the reading. */
let scratch = Buffer.allocUnsafeSlow(1024 * 1024);

/** @param {number} id */
function __load(id) {
  let module = loaded.get(id);
  if (module === undefined) {
    module = { exports: undefined };
    loaded.set(id, module);
    const name = packOf(id);
    let pack = packs.get(name);
    if (pack === undefined) {
      pack = open(name);
      packs.set(name, pack);
    }
    /** @type {Chunk} */ (pack[id])(module, __load);
  }
  return module.exports;
}

/**
 * Returns the pack of a chunk. Chunks are numbered pack by pack.
 *
 * @param {number} id
 */
function packOf(id) {
  let at = 0;
  while (id >= /** @type {number} */ (__ends[at])) at++;
  return /** @type {string} */ (__names[at]);
}

/**
 * @param {string} name
 * @returns {Pack}
 */
function open(name) {
  const filename = `${__dirname}/${name}.js`;
  const cache = `${name}.${__build}.${process.version}-${process.arch}.cache`;
  // Packs are ASCII, which is read as Latin-1 without decoding.
  const source = readFile(filename).toString('latin1');
  let script;
  for (const folder of [() => __dirname, ownFolder]) {
    const cachedData = read(folder(), cache);
    if (cachedData === undefined) continue;
    script = new Script(source, { filename, cachedData });
    if (script.cachedDataRejected === false) break;
  }
  script ??= new Script(source, { filename });
  compiled.set(cache, script);
  if (script.cachedDataRejected !== false) {
    // Existing caches are not replaced: a rare command must not enlarge the cache that all commands load.
    if (uncached.size === 0) process.once('exit', () => save(uncached));
    uncached.set(cache, script);
  }
  return script.runInThisContext()(require, filename);
}

/**
 * Reads a file. The bytes are valid until the next one is read.
 *
 * @param {string} path
 */
function readFile(path) {
  const file = fs.openSync(path, 'r');
  try {
    for (let end = 0; ;) {
      const count = fs.readSync(file, scratch, end, scratch.length - end, null);
      end += count;
      if (count === 0) return scratch.subarray(0, end);
      if (end === scratch.length) scratch = Buffer.concat([scratch], 4 * end);
    }
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Reads a cache. Returns undefined if there is none.
 *
 * @param {string | false} folder
 * @param {string} cache
 */
function read(folder, cache) {
  try {
    return folder === false ? undefined : readFile(`${folder}/${cache}`);
  } catch {
    return undefined;
  }
}

/** Caches the compiled code of all packs that were used. */
// oxlint-disable-next-line no-unused-vars -- pack-chunks.js exports it
function saveCompiled() {
  save(compiled);
}

/**
 * Writes the compiled code of packs beside them, or into the cache folder of the user where their folder cannot be written,
 * so that later commands do not compile it.
 *
 * @param {Scripts} scripts
 */
function save(scripts) {
  try {
    const folder = isWritable(__dirname) ? __dirname : makeOwnFolder();
    if (folder === false) return;
    for (const [cache, script] of scripts) {
      const temporary = `${folder}/${cache}.${process.pid}`;
      fs.writeFileSync(temporary, script.createCachedData());
      fs.renameSync(temporary, `${folder}/${cache}`);
    }
    if (folder === __dirname) return;
    for (const name of fs.readdirSync(folder))
      if (
        name.endsWith('.cache') &&
        !name.includes(`.${__build}.`) &&
        Date.now() - fs.statSync(`${folder}/${name}`).mtimeMs > maxAge
      )
        fs.rmSync(`${folder}/${name}`);
  } catch {
    // Without the cache, commands only start slower.
  }
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where programs of this user keep what they can make again; false if the user has no such place. */
function userCaches() {
  const { env, platform } = process;
  const inHome = (/** @type {string} */ path) => !!env['HOME']?.startsWith('/') && `${env['HOME']}/${path}`;
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? false;
  if (platform === 'darwin') return inHome('Library/Caches');
  return env['XDG_CACHE_HOME']?.startsWith('/') ? env['XDG_CACHE_HOME'] : inHome('.cache');
}

/** Whether a folder is the user's. */
function isOwn(/** @type {import('node:fs').Stats} */ { uid }) {
  return process.getuid === undefined || uid === process.getuid();
}

/** Returns the folder of docsctl among the caches of the user. What others could have written there is never run. */
function ownFolder() {
  if (own !== undefined) return own;
  own = false;
  const caches = userCaches();
  if (caches === false) return own;
  try {
    const folder = `${caches}/docsctl`;
    const stats = fs.lstatSync(folder);
    if (stats.isDirectory() && isOwn(stats) && (process.platform === 'win32' || (stats.mode & 0o77) === 0))
      own = folder;
  } catch {
    // There is none yet, or it cannot be read.
  }
  return own;
}

/** Makes the folder, unless the place for it is another user's, as with sudo. */
function makeOwnFolder() {
  const caches = userCaches();
  if (caches === false) return false;
  if (
    !fs.existsSync(`${caches}/docsctl`) &&
    isOwn(fs.statSync(fs.existsSync(caches) ? caches : dirname(caches)))
  )
    fs.mkdirSync(`${caches}/docsctl`, { recursive: true, mode: 0o700 });
  own = undefined;
  return ownFolder();
}
