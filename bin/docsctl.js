#!/usr/bin/env node
'use strict';
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`docsctl needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(64);
}
if (!answersVersion()) run().then(end, fail);

async function run() {
  await require(findMain()).start(process);
}

/** A clone of the repository has no program before it is built. */
function findMain() {
  const main = `${__dirname}/../dist/main.js`;
  if (require('node:fs').existsSync(main)) return main;
  process.stderr.write(
    `docsctl is not built. Run \`npm run build\` in ${require('node:path').dirname(__dirname)}.\n`,
  );
  process.exit(1);
}

/**
 * Ends the process. All that it had to do is done and written, so nothing needs the orderly end of Node, which frees all memory
 * piece by piece. A process of a server may still have something to send to the one that started it.
 */
function end() {
  if (!process.connected) process.exit();
}

/**
 * Prints an error that the program could not print, because its own files are missing or belong to another build.
 *
 * @param {NodeJS.ErrnoException} error
 */
function fail(error) {
  if (error.code !== 'OTHER_BUILD') throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exit(1);
}

/** Nothing of the program is needed to say which it is; where it cannot be said like this, the program says it or why not. */
function answersVersion() {
  if (process.argv.length !== 3 || (process.argv[2] !== '--version' && process.argv[2] !== '-V'))
    return false;
  try {
    return require('node:fs').writeSync(1, `${require('../package.json').version}\n`) > 0;
  } catch {
    return false;
  }
}
