import { type AnalysisState, Draft, type Move, type Writes } from './state.ts';

export interface NextMoves {
  readonly moves: readonly Move[];
  /** To be applied when the issues have been carried along. */
  readonly writes: Writes;
}

/** The next page of moves that a consolidation left to be carried out, oldest first; carrying one out twice does no harm. */
export async function nextMoves(state: AnalysisState): Promise<NextMoves | undefined> {
  const draft = new Draft(state);
  const model = await draft.model();
  if (model.movesFirst >= model.movesEnd) return undefined;
  const key = `moves.${model.movesFirst}`;
  const moves = (await draft.get<readonly Move[]>(key)) ?? [];
  draft.put(key, undefined);
  draft.put('model', { ...model, version: model.version + 1, movesFirst: model.movesFirst + 1 });
  return { moves, writes: draft.writes };
}
