import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../core/clock.ts';
import { Problem } from '../errors/problem.ts';

interface NamedFile {
  readonly path: string;
  readonly from: string;
}

/** The PEM files of a certificate (with its intermediate certificates) and of its private key. */
export interface TlsFiles {
  readonly cert: NamedFile;
  readonly key: NamedFile;
}

/** A certificate and its key. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  /** When the certificate expires, in milliseconds since 1970. */
  readonly expires: number;
}

/** The certificate for the servers of a process. */
export interface Tls {
  /** Creates an HTTPS server with the certificate. */
  readonly createServer: (options: ServerOptions, listener: RequestListener) => Server;
  /**
   * Reads the files again. New connections get the new certificate, and open ones continue. If it fails, the servers keep the old
   * certificate.
   *
   * @throws Problem(invalid-input) like `openTls`
   */
  readonly reload: () => void;
  /** Returns when the certificate expires, in milliseconds since 1970. */
  readonly expires: () => number;
  /** Returns the certificate that new connections get. */
  readonly identity: () => TlsIdentity;
  /** Why the files could not be used, so that the certificate is the one of other processes. */
  readonly problem?: Problem;
}

/**
 * Reads a certificate and its key, for servers with TLS 1.2 or later. If the files cannot be used, it takes the certificate that
 * other processes of the server already use, if there is one.
 *
 * @throws Problem(invalid-input) if a file is missing or unreadable, if the key does not belong to the certificate, or if the
 * certificate has expired or is not valid yet
 */
export function openTls(files: TlsFiles, clock: Clock, inUse?: TlsIdentity): Tls {
  let identity: TlsIdentity;
  let problem: Problem | undefined;
  try {
    identity = readTlsIdentity(files, clock());
  } catch (error) {
    if (inUse === undefined || !(error instanceof Problem)) throw error;
    identity = inUse;
    problem = error;
  }
  const servers: Server[] = [];
  return {
    createServer: (options, listener) => {
      const handshakeTimeout = options.headersTimeout;
      const server = createServer(
        { ...options, ...contextOf(identity), ...(handshakeTimeout && { handshakeTimeout }) },
        listener,
      );
      servers.push(server);
      return server;
    },
    reload: () => {
      identity = readTlsIdentity(files, clock());
      for (const server of servers) server.setSecureContext(contextOf(identity));
    },
    expires: () => identity.expires,
    identity: () => identity,
    ...(problem && { problem }),
  };
}

function contextOf({ cert, key }: TlsIdentity) {
  return { cert, key, minVersion: 'TLSv1.2' } as const;
}

/** Maximum size of a file with certificates or keys, in bytes. */
const maxSize = 1024 * 1024;

/** Reads a certificate and its key, and checks that they can be used now. */
function readTlsIdentity({ cert, key }: TlsFiles, now: number): TlsIdentity {
  const texts = { cert: read(cert), key: read(key) };
  const certificate = parse(cert, 'certificate', () => new X509Certificate(texts.cert));
  const privateKey = readKey(key, texts.key);
  if (!certificate.checkPrivateKey(privateKey))
    throw invalid(`The key in ${name(key)} does not belong to the certificate in ${name(cert)}.`, {
      hint: 'The first certificate of the file must be the one of the server, before those of its authority.',
    });
  const [begins, expires] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now >= expires)
    throw invalid(`The certificate in ${name(cert)} expired on ${dayOf(expires)}.`, {
      hint: 'Renew it, then start the server again.',
    });
  if (now < begins)
    throw invalid(`The certificate in ${name(cert)} is not valid before ${dayOf(begins)}.`, {
      hint: 'Check the clock of this machine.',
    });
  const identity = { ...texts, expires };
  // Parses the other certificates in the file, and rejects weak keys.
  parse(cert, 'certificate', () => createSecureContext(contextOf(identity)));
  return identity;
}

function read(file: NamedFile): string {
  try {
    const stats = statSync(file.path);
    // Reading a device or pipe might never end.
    if (!stats.isFile() || stats.size > maxSize) throw new Error('no regular file of at most 1 MiB');
    return readFileSync(file.path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw invalid(`There is no file ${name(file)}.`, { cause });
    throw invalid(
      code === 'EACCES' || code === 'EPERM'
        ? `You do not have permission to read ${name(file)}.`
        : `${name(file)} cannot be read: ${code ?? (cause as Error).message}.`,
      { cause },
    );
  }
}

function readKey(file: NamedFile, text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text))
    throw invalid(`The key in ${name(file)} is encrypted.`, {
      hint: 'Store it without a passphrase, in a file that only the server can read.',
    });
  return parse(file, 'private key', () => createPrivateKey(text));
}

function parse<T>(file: NamedFile, what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw invalid(`${name(file)} contains no valid ${what} in PEM form.`, { cause });
  }
}

function name({ path, from }: NamedFile): string {
  return `${path} (from ${from})`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function invalid(message: string, options: { readonly hint?: string; readonly cause?: unknown }): Problem {
  return new Problem('invalid-input', message, {
    hint: 'Use --tls-cert and --tls-key with files in PEM form, as certificate authorities issue them.',
    ...options,
  });
}
