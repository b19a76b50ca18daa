// The end of dist/main.js, where pack-chunks.js puts it: loads chunks, and the packs that hold them, when they are asked for.
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
  const cache = `${__dirname}/${name}.${process.version}-${process.arch}.cache`;
  let cachedData;
  try {
    cachedData = fs.readFileSync(cache);
  } catch {
    // The first time, or where none can be kept.
  }
  const script = new Script(fs.readFileSync(filename, 'utf8'), { filename, cachedData });
  compiled.set(cache, script);
  if (cachedData === undefined || script.cachedDataRejected === true) {
    // Files that exist stay as they are: a rare command must not make larger what all commands load.
    if (uncached.size === 0) process.once('exit', () => save(uncached));
    uncached.set(cache, script);
  }
  return script.runInThisContext()(require, filename);
}

/** Keeps what V8 has compiled of every pack that was used. */
// oxlint-disable-next-line no-unused-vars -- pack-chunks.js exports it
function saveCompiled() {
  save(compiled);
}

/**
 * Keeps what V8 has compiled beside the packs, where that may be written: the next command need not compile it again.
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
    // Without it commands start slower, and nothing else.
  }
}
