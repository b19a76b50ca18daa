// Runs docsctl and writes what V8 compiled beside each file of dist/.
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const dist = join(__dirname, '../dist');
const { start, scripts } = require('../dist/main.js');
process.env.DOCSCTL_CONFIG_DIR = join(dist, 'none');
process.on('exit', () => {
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(dist, `${name}.cache`), script.createCachedData());
});
// A server would go on for ever.
if (process.argv[2] === 'serve') setTimeout(() => process.kill(process.pid, 'SIGTERM'), 2000);
start(process);
