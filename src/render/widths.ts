import { isRecord } from '../contract/values.ts';

/** The step between the widths that have a class, in percent. */
const step = 5;

/**
 * Returns the class of a width in percent, rounded to 5 %. Pages allow no inline styles. Returns undefined for other units, and
 * without a width.
 */
export function widthClass(width: unknown): string | undefined {
  const percent = percentOf(width);
  if (percent === undefined || percent <= 0) return undefined;
  return `width-${Math.min(100, Math.max(step, Math.round(percent / step) * step))}`;
}

/** Returns a width in pixels; undefined for other units. */
export function pixelsOf(width: unknown): number | undefined {
  if (typeof width === 'number') return width > 0 ? Math.round(width) : undefined;
  return isRecord(width) && width['unit'] === 'px' ? pixelsOf(width['value']) : undefined;
}

function percentOf(width: unknown): number | undefined {
  if (isRecord(width) && width['unit'] === '%' && typeof width['value'] === 'number') return width['value'];
  const [, digits] = typeof width === 'string' ? (/^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(width) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}
