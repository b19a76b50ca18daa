import { type AnalysisState, Draft, type PointText, type Writes } from './state.ts';

export interface Withdrawn {
  readonly writes: Writes;
  readonly since: number;
  /** Clusters that have no issue any more. */
  readonly vanished: readonly string[];
}

/** Takes issues away, one for each point named: for conversations that were replaced or deleted. A point that has gone into another meanwhile is passed over. */
export async function withdraw(state: AnalysisState, points: readonly string[]): Promise<Withdrawn> {
  const draft = new Draft(state);
  const before = await draft.model();
  const vanished: string[] = [];
  let gone = 0;
  for (const id of points) {
    const text = await draft.get<PointText>(`point.${id}`);
    if (text === undefined) continue;
    const key = `cluster.${text.cluster}`;
    const left = (await draft.points(text.cluster))
      .map((point) => (point.id === id ? { ...point, size: point.size - 1 } : point))
      .filter(({ size }) => size > 0);
    if (left.some((point) => point.id === id)) {
      draft.put(key, left);
      continue;
    }
    gone++;
    draft.put(`point.${id}`, undefined);
    draft.put(key, left.length === 0 ? undefined : left);
    if (left.length > 0) continue;
    vanished.push(text.cluster);
    draft.put(
      'centres',
      (await draft.centres()).filter(({ cluster }) => cluster !== text.cluster),
    );
  }
  draft.put('model', {
    ...before,
    version: before.version + 1,
    issues: Math.max(0, before.issues - points.length),
    points: before.points - gone,
  });
  return { writes: draft.writes, since: before.version, vanished };
}
