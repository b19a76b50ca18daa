import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** @import { Host } from './types.d.ts' */

/**
 * Describes a job of a service that keeps files as artifacts. The report goes to docsctl-report.md and the outputs to
 * docsctl-report.env.
 * @param {string} folder the folder of the project
 * @param {(line: string) => void} print
 * @returns {Host}
 */
export function fileHost(folder, print) {
  return {
    planFile: resolve(folder, 'docsctl-plan.json'),
    change: undefined,
    comments: undefined,
    commentNeeds: '',
    maxComment: Infinity,
    runUrl: undefined,
    note: (level, text) => print(`${level}: ${text}`),
    quarantine: (work) => work(),
    annotates: false,
    annotate() {},
    writeSummary: (markdown) => writeFileSync(join(folder, 'docsctl-report.md'), markdown),
    writeOutputs(outputs) {
      const lines = Object.entries(outputs).map(
        ([name, value]) =>
          `DOCSCTL_${name.toUpperCase().replaceAll('-', '_')}=${value.replace(/[\r\n]/g, ' ')}\n`,
      );
      writeFileSync(join(folder, 'docsctl-report.env'), lines.join(''));
    },
  };
}
