/** Returns the styles of widths in steps of 5 %, and of covers. Pages use these classes because they allow no inline styles. */
export function sizeStyles(): string {
  const steps = (from: number, to: number, by: number) =>
    Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
  return [
    ...steps(5, 100, 5).map((width) => `.width-${width}{width:${width}%}`),
    ...steps(-100, 100, 5).map((shift) => `.cover-shift-${shift}{object-position:50% ${50 - shift / 2}%}`),
    ...steps(20, 700, 20).map((height) => `.cover .cover-height-${height}{height:${height}px}`),
  ].join('');
}
