import type { JournalLine, RunHeader } from '../../../src/manifest/journal/journal-lines.ts';
import { newRunId, openJournal } from '../../../src/manifest/journal/journal-file.ts';

/** The header of a run at a time in milliseconds after nine o'clock. */
export function headerAt(time: number, more: Partial<RunHeader> = {}): RunHeader {
  const at = new Date(Date.parse('2026-01-05T09:00:00Z') + time);
  return {
    type: 'run',
    version: 1,
    id: newRunId(at.getTime(), (count) => new Uint8Array(count).fill(7)),
    place: 'p',
    organization: 'o',
    at: at.toISOString(),
    docsctl: '1',
    files: [],
    serial: 0,
    ...more,
  };
}

export function runEnd(did: Record<string, number>): JournalLine {
  return { type: 'end', at: '2026-01-05T09:00:09Z', how: 'done', counts: { done: 1, failed: 0 }, did };
}

export function writeJournal(folder: string, head: RunHeader, ...lines: JournalLine[]): void {
  const file = openJournal(folder, head);
  for (const line of lines) file.append(line);
  file.close();
}
