import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { readCertificates } from '../../../saml/certificates.ts';
import type { Session } from '../../session/session.ts';

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Returns when the last certificate of a provider expires, on a terminal with the days left; undefined if none can be parsed. */
export function describeExpiry(certificate: string, { isInteractive, runtime }: Session): string | undefined {
  if (certificate === '') return undefined;
  try {
    const until = Math.max(...readCertificates(certificate).map(({ validTo }) => validTo));
    const date = new Date(until).toISOString().slice(0, 10);
    if (!isInteractive) return date;
    const left = until - runtime.clock();
    return left < 0 ? `expired ${date}` : `${date}, ${plural(Math.floor(left / millisecondsPerDay), 'day')}`;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
