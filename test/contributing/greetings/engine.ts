import type { Engine } from '../../../src/core/jobs.ts';
import { greetings } from './rows.ts';

/** Corrects the punctuation of a new greeting, outside the request that created it. */
export const engine: Engine = {
  async run({ job, read, write }) {
    const row = await read((view) => view.get(greetings, job.subject));
    if (row === undefined || /[.!?]$/.test(row.text)) return;
    const text = `${row.text}.`; // The slow part goes here, between two short transactions.
    await write((tx) => tx.update(greetings, row.id, { text }));
  },
};
