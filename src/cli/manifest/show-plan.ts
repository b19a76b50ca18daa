import type { PlanDocument } from '../../manifest/plan-document.ts';
import { createStyler } from '../output/style.ts';
import type { Session } from '../session/session.ts';
import { drawJobs } from './jobs-text.ts';
import { drawPlan } from './plan-text.ts';
import { hasNew, type PlannedJob } from './planned-job.ts';

/** Draws a plan on standard error for a person; not if the output is data for a script. */
export async function showPlan(
  { terminal, format }: Session,
  document: PlanDocument,
  jobs: readonly PlannedJob[] = [],
): Promise<void> {
  if (format !== 'table' && !terminal.stderrIsTTY) return;
  const style = await createStyler(terminal.color && terminal.stderrIsTTY);
  await terminal.stderr.write(drawPlan(document, style, jobs.some(hasNew)) + drawJobs(jobs, style));
}
