// Runs docsctl once and keeps what V8 compiled for it, though nothing is missing: each kind of command adds what it uses.
'use strict';
const { join } = require('node:path');
const dist = join(__dirname, '../dist');
const { start, saveCompiled } = require(join(dist, 'main.js'));
process.env['DOCSCTL_CONFIG_DIR'] = join(dist, 'none');
process.once('exit', saveCompiled);
// A server would go on for ever: it ends after its first request, with which it loads most of what it needs.
if (process.argv[2] === 'serve') {
  const fs = require('node:fs');
  const { get } = require('node:http');
  const { writeSync } = fs;
  fs.writeSync = (/** @type {any[]} */ ...given) => {
    const [url] = given[0] === 1 ? (/http:\S+/.exec(String(given[1])) ?? []) : [];
    if (url !== undefined)
      get(`${url}/readyz`, { agent: false }, (answer) =>
        answer.resume().on('end', () => process.kill(process.pid, 'SIGTERM')),
      );
    return Reflect.apply(writeSync, fs, given);
  };
}
void start(process);
