// pack-chunks.js puts this code at the end of dist/main.js. It loads chunks, and the packs that contain them, on first use.
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');

/** @type {Map<number, { exports: unknown }>} */
const loaded = new Map();
/** @type {Map<string, Pack>} */
const packs = new Map([['main', __chunks]]);
/** @typedef {Map<string, import('node:vm').Script>} Scripts compiled packs by the file for what V8 made of each */
/** @type {Scripts} */
const compiled = new Map();
/** @type {Scripts} Those without a file that can be used. */
const uncached = new Map();

/** @param {number} id */
function __load(id) {
  let module = loaded.get(id);
  if (module === undefined) {
    module = { exports: undefined };
    loaded.set(id, module);
    const name = /** @type {string} */ (__packOf[id]);
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
 * @param {string} name
 * @returns {Pack}
 */
function open(name) {
  const filename = `${__dirname}/${name}.js`;
  const cache = `${__dirname}/${name}.${__build}.${process.version}-${process.arch}.cache`;
  let cachedData;
  try {
    cachedData = fs.readFileSync(cache);
  } catch {
    // There is no cache yet, or the folder cannot be written.
  }
  // Packs are ASCII, which is read as Latin-1 without decoding.
  const script = new Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData });
  compiled.set(cache, script);
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // Existing caches are not replaced: a rare command must not enlarge the cache that all commands load.
    if (uncached.size === 0) process.once('exit', () => save(uncached));
    uncached.set(cache, script);
  }
  return script.runInThisContext()(require, filename);
}

/** Caches the compiled code of all packs that were used. */
// oxlint-disable-next-line no-unused-vars -- pack-chunks.js exports it
function saveCompiled() {
  save(compiled);
}

/**
 * Writes the compiled code of packs beside them, if the folder can be written, so that later commands do not compile it.
 *
 * @param {Scripts} scripts
 */
function save(scripts) {
  try {
    fs.accessSync(__dirname, fs.constants.W_OK);
    for (const [cache, script] of scripts) {
      const temporary = `${cache}.${process.pid}`;
      fs.writeFileSync(temporary, script.createCachedData());
      fs.renameSync(temporary, cache);
    }
  } catch {
    // Without the cache, commands only start slower.
  }
}
