import { readCertificates } from '../saml/certificates.ts';
import { Problem } from '../errors/problem.ts';

const day = 24 * 60 * 60 * 1000;

/** Until when one of the certificates of a provider is in force, as a date; for a person with how long that is. Nothing where it cannot be read. */
export function expiryOf(
  certificate: string,
  { drawn, now }: { readonly drawn: boolean; readonly now: number },
): string | undefined {
  if (certificate === '') return undefined;
  try {
    const until = Math.max(...readCertificates(certificate).map(({ validTo }) => validTo));
    const date = new Date(until).toISOString().slice(0, 10);
    if (!drawn) return date;
    const days = Math.floor((until - now) / day);
    return until < now ? `expired ${date}` : `${date}, ${days} ${days === 1 ? 'day' : 'days'}`;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
