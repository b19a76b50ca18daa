import { Problem } from '../errors/problem.ts';

/** The result of `work`, or Problem timed-out when it takes longer than so many milliseconds; the work goes on. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutProblem()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutProblem(): Problem {
  return new Problem('timed-out', 'The answer took too long; a change may still be made.', {
    hint: 'Repeat it with the same Idempotency-Key: it is done once.',
  });
}
