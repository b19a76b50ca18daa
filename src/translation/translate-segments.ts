import { chunk } from '../contract/values.ts';
import type { Provider, TranslationRequest } from './provider.ts';
import { isValidAnswer } from './wire.ts';

/** A segment with its translation; undefined if no answer was valid, so that it stays untranslated. */
export type TranslatedSegment = readonly [wire: string, answer: string | undefined];

/**
 * Translates segments in batches, `limits.parallel` at the same time, and yields the results of each round. If the answer for a
 * segment is invalid, the segment is sent once more, alone. Segments longer than five batches are not sent.
 *
 * @throws the Problem of the first failed batch, after the results of its round were yielded
 */
export async function* translateSegments(
  provider: Provider,
  wires: readonly string[],
  request: TranslationRequest,
): AsyncGenerator<TranslatedSegment[]> {
  const { characters, parallel } = provider.limits;
  const maxLength = 5 * characters;
  const tooLong = wires.filter((wire) => wire.length > maxLength);
  if (tooLong.length > 0) yield tooLong.map((wire) => [wire, undefined]);
  const batches = batchesOf(
    wires.filter((wire) => wire.length <= maxLength),
    provider.limits,
  );
  for (const some of chunk(batches, parallel)) {
    const ended = await Promise.allSettled(some.map((batch) => translateBatch(provider, batch, request)));
    yield ended.flatMap((each) => (each.status === 'fulfilled' ? each.value.done : []));
    for (const each of ended) {
      const error: unknown = each.status === 'rejected' ? each.reason : each.value.error;
      if (error !== undefined) throw error as Error;
    }
  }
}

async function translateBatch(
  provider: Provider,
  batch: readonly string[],
  request: TranslationRequest,
): Promise<{ done: TranslatedSegment[]; error?: unknown }> {
  const answers = await provider.translate(batch, request);
  const done: TranslatedSegment[] = [];
  const rejected: string[] = [];
  for (const [index, wire] of batch.entries()) {
    const answer = answers.length === batch.length ? answers[index] : undefined;
    if (answer !== undefined && isValidAnswer(wire, answer)) done.push([wire, answer]);
    else rejected.push(wire);
  }
  try {
    for (const wire of rejected) {
      const [answer] = await provider.translate([wire], request);
      done.push([wire, answer !== undefined && isValidAnswer(wire, answer) ? answer : undefined]);
    }
  } catch (error) {
    return { done, error };
  }
  return { done };
}

function batchesOf(wires: readonly string[], { segments, characters }: Provider['limits']): string[][] {
  const batches: string[][] = [];
  let size = 0;
  for (const wire of wires) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= segments || size + wire.length > characters) {
      batches.push([wire]);
      size = wire.length;
    } else {
      last.push(wire);
      size += wire.length;
    }
  }
  return batches;
}
