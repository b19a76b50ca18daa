import { invalid } from '../../errors/problem.ts';

const mostBytes = 1024 * 1024;

/** The bytes of an image that was given in base64; refuses what is none, or too large. */
export function readImage(base64: string, at: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > mostBytes) throw invalid(at, 'An image may have at most 1 MiB.', 'Make it smaller.');
  if (imageTypeOf(bytes) === undefined)
    throw invalid(
      at,
      'This is no PNG, JPEG, GIF or WebP image.',
      'An SVG can hold a program, so it is not taken: export it as PNG.',
    );
  return bytes;
}

/** The media type and file ending of an image, by its first bytes. */
export function imageTypeOf(bytes: Uint8Array): 'png' | 'jpeg' | 'gif' | 'webp' | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF.{4}WEBP$/s.test(start) ? 'webp' : undefined;
}
