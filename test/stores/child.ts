import { table, type Row } from '../../src/core/store.ts';
import { openStore } from '../../src/stores/index.ts';

// Run as `node child.js URL NAME WRITES`: adds rows and to one sum, and says after each write that it is done.
interface SumRow extends Row {
  readonly group: string;
  readonly sum: number;
}
const sums = table<SumRow>()('sums', { byGroup: { on: ['group'] } });

async function main([url = '', name = '', writes = '0']: string[]): Promise<void> {
  const store = await openStore(url, { tables: [sums], busyTimeout: 60_000 });
  for (let at = 0; at < Number(writes); at += 1) {
    await store.write(async (tx) => {
      const total = await tx.get(sums, 'total');
      if (total === undefined) await tx.insert(sums, { id: 'total', group: 'total', sum: 1 });
      else await tx.update(sums, 'total', { sum: total.sum + 1 });
      await tx.insert(sums, { id: `${name}-${at}`, group: 'row', sum: at });
    });
    process.stdout.write(`${name}-${at}\n`);
  }
  await store.close();
}

void main(process.argv.slice(2));
