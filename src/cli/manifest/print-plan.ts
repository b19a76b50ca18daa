import type { PlanDocument } from '../../manifest/plan-document.ts';
import type { Session } from '../session.ts';
import { visibleSteps } from './describe-step.ts';
import { drawJobs, jobsMarkdown } from './jobs-text.ts';
import { filesWithNew, hasNew, type PlannedJob } from './planned-job.ts';
import { planMarkdown } from './plan-markdown.ts';
import { drawPlan } from './plan-text.ts';
import { printReport } from './print-report.ts';

/** Prints a plan on standard output, in the format asked for. */
export function printPlan(
  session: Session,
  document: PlanDocument,
  asMarkdown: boolean,
  jobs: readonly PlannedJob[] = [],
): Promise<void> {
  const rows = () => [
    ...visibleSteps(document.steps).map(
      ({ action, key, name, kind, id, at, changes, calls, protectWas }) => ({
        action,
        ref: key,
        name,
        kind,
        id,
        fields: [...changes.map(({ field }) => field), ...(protectWas === undefined ? [] : ['protect'])].join(
          ' ',
        ),
        at,
        calls,
      }),
    ),
    ...jobs.flatMap((planned) =>
      filesWithNew(planned).map(({ file: name }) => ({
        action: 'ingest',
        ref: planned.job,
        name,
        kind: 'conversations',
        fields: '',
        at: planned.at,
      })),
    ),
  ];
  return printReport(
    session,
    {
      text: (style) => drawPlan(document, style, jobs.some(hasNew)) + drawJobs(jobs, style),
      markdown: () => planMarkdown(document, jobs.some(hasNew)) + jobsMarkdown(jobs),
      document: jobs.length === 0 ? document : { ...document, jobs },
      rows,
      columns: ['action', 'ref', 'name', 'fields', 'at'],
    },
    asMarkdown,
  );
}
