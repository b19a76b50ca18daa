import { drawBars } from '../../output/bars.ts';
import { formatBytes } from '../../manifest/describe-step.ts';

const barWidth = 12;

/** Adds to files their sizes with units, and bars relative to the largest file. */
export function addFileSizes(items: readonly unknown[]): object[] {
  const files = items as readonly { size: number }[];
  const bars = drawBars(
    files.map(({ size }) => size),
    barWidth,
  );
  return files.map((file, index) => ({ ...file, bytes: formatBytes(file.size), share: bars[index] }));
}
