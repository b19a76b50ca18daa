// The end of dist/main.js, where pack-chunks.js puts it: loads chunks, and the packs that hold them, when they are asked for.
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');

/** @type {Map<number, { exports: unknown }>} */
const loaded = new Map();
/** @type {Map<string, Pack>} */
const packs = new Map([['main', __chunks]]);
/** @type {Map<string, import('node:vm').Script>} The packs that were compiled, by the file for what V8 made of each. */
const compiled = new Map();
let isSavedAtExit = false;

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
  if (!isSavedAtExit && (cachedData === undefined || script.cachedDataRejected === true)) {
    isSavedAtExit = true;
    process.once('exit', saveCompiled);
  }
  return script.runInThisContext()(require, filename);
}

/** Keeps what V8 has compiled beside the packs, where that may be written: the next command need not compile it again. */
function saveCompiled() {
  try {
    fs.accessSync(__dirname, fs.constants.W_OK);
    for (const [cache, script] of compiled) {
      const temporary = `${cache}.${process.pid}`;
      fs.writeFileSync(temporary, script.createCachedData());
      fs.renameSync(temporary, cache);
    }
  } catch {
    // Without it commands start slower, and nothing else.
  }
}
