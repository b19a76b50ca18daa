const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Draws numbers as bars of up to `width` cells, relative to the largest number. */
export function drawBars(numbers: readonly number[], width: number): string[] {
  const max = numbers.reduce((greatest, number) => Math.max(greatest, number), 0);
  return numbers.map((number) => {
    if (max <= 0 || number <= 0) return '';
    const parts = Math.max(1, Math.round((number / max) * width * 8));
    return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
  });
}
