import { isRecord } from '../contract/values.ts';

/** The widths that styles exist for, in percent. */
const step = 5;

/**
 * The class of a width in percent, rounded to 5 %; the page allows no style of its own. Undefined for a width of another
 * unit, and for none.
 */
export function widthClass(width: unknown): string | undefined {
  const percent = percentOf(width);
  if (percent === undefined || percent <= 0) return undefined;
  return `width-${Math.min(100, Math.max(step, Math.round(percent / step) * step))}`;
}

/** The pixels of a width; undefined for a width of another unit. */
export function pixelsOf(width: unknown): number | undefined {
  if (typeof width === 'number') return width > 0 ? Math.round(width) : undefined;
  return isRecord(width) && width['unit'] === 'px' ? pixelsOf(width['value']) : undefined;
}

function percentOf(width: unknown): number | undefined {
  if (isRecord(width) && width['unit'] === '%' && typeof width['value'] === 'number') return width['value'];
  const [, digits] = typeof width === 'string' ? (/^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(width) ?? []) : [];
  return digits === undefined ? undefined : Number(digits);
}
