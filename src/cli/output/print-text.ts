import type { Sink } from '../runtime.ts';

/** Writes text to standard output, and waits until it is written. */
export async function printText({ paged }: { readonly paged: Sink }, text: string): Promise<void> {
  await paged.write(text);
  await paged.flush();
}
