import { tables } from '../../src/resources/tables.ts';
import { openStore } from '../../src/stores/index.ts';

// Run as `node upgrade-child.js URL`: opens a store, which upgrades it, and prints when it starts and finishes.
async function main([url = '']: string[]): Promise<void> {
  process.stdout.write('begins\n');
  await (await openStore(url, { tables, create: false })).close();
  process.stdout.write('done\n');
}

void main(process.argv.slice(2));
