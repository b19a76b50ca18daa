import type { Visit } from './visit.ts';

/**
 * Returns a body that another thread made for the same request, if it is made of the same content: that thread may have found a
 * newer version of the site. Undefined if it is not, or if the visit has no other thread.
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
