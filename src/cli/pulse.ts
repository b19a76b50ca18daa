const bars = ['▁', '▂', '▃', '▅', '▇'];

/** Counts as a line of bars, each as high as it is beside the greatest. */
export function drawPulse(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => bars[Math.ceil((count / most) * (bars.length - 1))]!).join('');
}
