import type { Visit } from './visit.ts';

/**
 * Returns a body that another thread made for the same request. Undefined if the visit has no other thread, or if the body is
 * made of other content, because that thread found a newer version of the site.
 */
export async function madeApart(
  { answerApart }: Pick<Visit, 'answerApart'>,
  madeOf: string,
): Promise<Buffer | undefined> {
  const made = await answerApart?.();
  if (made?.madeOf !== madeOf || !(made.body instanceof Uint8Array)) return undefined;
  const { buffer, byteOffset, byteLength } = made.body;
  return Buffer.from(buffer, byteOffset, byteLength);
}
