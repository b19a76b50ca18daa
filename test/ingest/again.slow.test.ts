import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openGuideStore } from '../cli/guide-store.ts';

const lines = 10_000;

it(
  'creates ten thousand conversations once, however often they are ingested',
  { timeout: 300_000 },
  async () => {
    const desk = await openGuideStore();
    try {
      const env = { DOCSCTL_STORE: `sqlite:${desk.home}/store.db` };
      await desk.done(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], { env });
      const line = (at: number) =>
        JSON.stringify({
          id: `c${at}`,
          subject: `Subject ${at}`,
          parts: [{ type: 'message', role: 'user', body: `Body ${at}` }],
        });
      writeFileSync(
        desk.at('all.ndjson'),
        Array.from({ length: lines }, (_, at) => `${line(at)}\n`).join(''),
      );
      const counts: unknown[] = [];
      for (let run = 0; run < 11; run++)
        counts.push(
          JSON.parse(
            (await desk.done(['conversations', 'ingest', 'all.ndjson', '-o', 'json'], { env })).stdout,
          ),
        );
      expect(counts[0]).toMatchObject({ created: lines, updated: 0, unchanged: 0, failed: 0 });
      for (const again of counts.slice(1))
        expect(again).toMatchObject({ created: 0, updated: 0, unchanged: lines, failed: 0 });
      const { stdout } = await desk.done(['conversations', 'list', '--all', '-o', 'id'], { env });
      const ids = stdout.trimEnd().split('\n');
      expect([ids.length, new Set(ids).size]).toEqual([lines, lines]);
    } finally {
      await desk.discard();
    }
  },
);
