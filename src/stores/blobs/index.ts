import { setTimeout } from 'node:timers/promises';
import type { BlobStorage } from '../../core/blob-storage.ts';
import type { Clock } from '../../core/clock.ts';
import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';
import { openBlobFolder } from './folder.ts';
import { parseBlobsUrl } from './parse-blobs-url.ts';

interface BlobStorageOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  /** Returns a name that was never used. */
  readonly newName: () => string;
}

/** Opens the blob storage at a URL. Credentials come from the environment. @throws Problem(invalid-input), Problem(store-failed) */
export async function openBlobStorage(
  url: string,
  { env, cwd, clock, outgoing, newName }: BlobStorageOptions,
): Promise<BlobStorage> {
  const location = parseBlobsUrl(url, { cwd, region: env['AWS_REGION'] });
  if (location.kind === 'folder') return openBlobFolder(location.path, newName);
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Problem('invalid-input', `The blob storage ${location.url} needs a key, but none is set.`, {
      hint: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  const { openS3Blobs } = await import('./s3.ts');
  return openS3Blobs(location, {
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN,
    },
    outgoing,
    clock,
    wait: (milliseconds) => setTimeout(milliseconds),
  });
}
