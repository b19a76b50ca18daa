import { isInForce, readCertificates } from './certificates.ts';

/** What a provider is told of an identity provider; null where nothing was said. */
export interface Told {
  readonly ssoURL: string | null;
  readonly entityID: string | null;
  readonly certificate: string | null;
}

export type Missing = keyof Told | 'certificate in force';

/** What a provider needs before anybody can sign in, and does not have. */
export function missingOf({ certificate, ...told }: Told, now: number): Missing[] {
  const missing: Missing[] = (['ssoURL', 'entityID'] as const).filter((name) => told[name] === null);
  if (certificate === null) return [...missing, 'certificate'];
  return readCertificates(certificate).some((one) => isInForce(one, now))
    ? missing
    : [...missing, 'certificate in force'];
}
