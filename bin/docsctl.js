#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`docsctl needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exit(64);
}
require('../dist/main.js').start(process);
