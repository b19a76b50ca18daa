// Runs docsctl once and keeps what V8 compiled for it, though nothing is missing: each kind of command adds what it uses.
'use strict';
const { join } = require('node:path');
const dist = join(__dirname, '../dist');
const { start, saveCompiled } = require(join(dist, 'main.js'));
process.env['DOCSCTL_CONFIG_DIR'] = join(dist, 'none');
process.once('exit', saveCompiled);
// A server would go on for ever: it ends when it says that it serves.
if (process.argv[2] === 'serve') {
  const fs = require('node:fs');
  const { writeSync } = fs;
  fs.writeSync = (/** @type {any[]} */ ...given) => {
    if (given[0] === 1) setImmediate(() => process.kill(process.pid, 'SIGTERM'));
    return Reflect.apply(writeSync, fs, given);
  };
}
void start(process);
