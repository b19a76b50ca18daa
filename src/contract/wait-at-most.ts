/**
 * Returns the result of work that ends within a number of milliseconds (Infinity: no limit), otherwise the result of `onTimeout`,
 * which may throw. A timeout does not stop the work.
 */
export async function waitAtMost<T, Late>(
  milliseconds: number,
  work: Promise<T>,
  onTimeout: () => Late,
): Promise<T | Late> {
  if (milliseconds === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  try {
    return await Promise.race([work, timeout.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
