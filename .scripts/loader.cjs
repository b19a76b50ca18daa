// pack-chunks.js puts this code at the end of dist/main.js. It loads chunks, and the packs that contain them, on first use.
'use strict';
const fs = require('node:fs');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** @type {Map<number, { exports: unknown }>} */
const loaded = new Map();
/** @type {Map<string, Pack>} */
const packs = new Map();
/** @typedef {Map<string, import('node:vm').Script>} Scripts compiled packs by the name of the file for what V8 made of each */
/** @type {Scripts} */
const compiled = new Map();
/** @type {Scripts} Those without a file that can be used. */
const uncached = new Map();
/** @type {Buffer | undefined} The packs that are joined, if they could not be kept as a file. */
let unsaved;
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
  const source = sourceOf(name);
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
    if (uncached.size === 0) process.once('exit', () => saveScripts(uncached));
    uncached.set(cache, script);
  }
  return script.runInThisContext()(require, filename);
}

/**
 * Returns the code of a pack. Frequent packs have a file of their own. The others are joined in one file. The package has it
 * compressed; what it becomes is kept as compiled code is.
 *
 * @param {string} name
 */
function sourceOf(name) {
  const at = __names.indexOf(name);
  const length = /** @type {number} */ (__lengths[at]);
  // Packs are ASCII, which is read as Latin-1 without decoding.
  if (length === 0) return readBuilt(() => readFile(`${__dirname}/${name}.js`)).toString('latin1');
  let start = 0;
  for (let before = 0; before < at; before++) start += /** @type {number} */ (__lengths[before]);
  const file = `packs.${__build}.txt`;
  if (unsaved === undefined)
    for (const folder of [() => __dirname, ownFolder]) {
      const part = read(folder(), file, start, length);
      if (part?.length === length) return part.toString('latin1');
    }
  const unpack = () => require('node:zlib').brotliDecompressSync(fs.readFileSync(`${__dirname}/packs.br`));
  const all = unsaved ?? readBuilt(unpack);
  if (unsaved === undefined && !save([[file, () => all]])) unsaved = all;
  return all.toString('latin1', start, start + length);
}

/**
 * Reads code of this build. Code of another one would run in the wrong place, and would be kept as that of this build.
 *
 * @param {() => Buffer} readCode
 */
function readBuilt(readCode) {
  let cause;
  try {
    const bytes = readCode();
    if (bytes.toString('latin1', bytes.length - __build.length) === __build) return bytes;
  } catch (error) {
    cause = error;
  }
  // print-problem.ts knows the code.
  throw Object.assign(
    new Error(
      'Files of docsctl are missing or belong to another version. If docsctl was upgraded while it was running, start it again. Otherwise, install it again.',
      { cause },
    ),
    { code: 'OTHER_BUILD' },
  );
}

/**
 * Reads a file, or a part of it. The bytes are valid until the next one is read.
 *
 * @param {string} path
 * @param {number} [start]
 * @param {number} [length]
 */
function readFile(path, start = 0, length = Infinity) {
  const file = fs.openSync(path, 'r');
  try {
    for (let end = 0; ;) {
      const count = fs.readSync(file, scratch, end, Math.min(scratch.length, length) - end, start + end);
      end += count;
      if (count === 0 || end === length) return scratch.subarray(0, end);
      if (end === scratch.length) scratch = Buffer.concat([scratch], 4 * end);
    }
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Reads a file that may be missing, or a part of it. Returns undefined if it is missing.
 *
 * @param {string | false} folder
 * @param {string} name
 * @param {number} [start]
 * @param {number} [length]
 */
function read(folder, name, start, length) {
  try {
    return folder === false ? undefined : readFile(`${folder}/${name}`, start, length);
  } catch {
    return undefined;
  }
}

/** Caches the compiled code of all packs that were used. */
// oxlint-disable-next-line no-unused-vars -- pack-chunks.js exports it
function saveCompiled() {
  saveScripts(compiled);
}

/** @param {Scripts} scripts */
function saveScripts(scripts) {
  save([...scripts].map(([cache, script]) => [cache, () => script.createCachedData()]));
}

/**
 * Writes files beside the packs, or into the cache folder of the user where their folder cannot be written, so that later
 * commands do not make the same again. Returns whether it did.
 *
 * @param {readonly (readonly [name: string, make: () => Buffer])[]} files
 */
function save(files) {
  try {
    const folder = isWritable(__dirname) ? __dirname : makeOwnFolder();
    if (folder === false) return false;
    for (const [name, make] of files) {
      // Another process, or a thread of this one, may be writing the same.
      const temporary = `${folder}/${name}.${process.pid}-${Math.random()}`;
      try {
        fs.writeFileSync(temporary, make());
        fs.renameSync(temporary, `${folder}/${name}`);
      } catch (error) {
        fs.rmSync(temporary, { force: true });
        throw error;
      }
    }
    if (folder === __dirname) return true;
    for (const name of fs.readdirSync(folder))
      if (
        /\.(?:cache|txt)$/.test(name) &&
        !name.includes(`.${__build}.`) &&
        Date.now() - fs.statSync(`${folder}/${name}`).mtimeMs > maxAge
      )
        fs.rmSync(`${folder}/${name}`);
    return true;
  } catch {
    // Without these files, commands only start slower.
    return false;
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
