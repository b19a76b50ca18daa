const bars = ['▁', '▂', '▃', '▅', '▇'];

/** Counts as a line of bars, each as high as it is beside the greatest. */
export function drawPulse(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => bars[Math.ceil((count / most) * (bars.length - 1))]!).join('');
}

/** The same, in words where there is nothing to draw: since which month it has been quiet. */
export function quietSince(counts: readonly number[], last: string | undefined): string {
  if (counts.some((count) => count > 0)) return drawPulse(counts);
  return last === undefined ? 'quiet' : `quiet since ${last.slice(0, 7)}`;
}
