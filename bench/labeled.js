import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The goals for clusters of labeled conversations. All data sets use the same settings.
 *
 * @type {Readonly<Record<string, { ami: number, ari: number, minClusters: number, maxClusters: number }>>}
 */
export const goals = {
  'banking77-dev': { ami: 0.68, ari: 0.45, minClusters: 40, maxClusters: 160 },
  'multidogo-dev': { ami: 0.79, ari: 0.58, minClusters: 15, maxClusters: 60 },
};
const maxSingletons = 0.03;

/**
 * Reads labeled conversations (NAME.ndjson and NAME.labels.tsv) from a folder; undefined if there are none.
 *
 * @param {string | undefined} folder
 * @param {string} name
 */
export function readLabeled(folder, name) {
  if (folder === undefined || !existsSync(join(folder, `${name}.ndjson`))) return undefined;
  /** @param {string} file */
  const lines = (file) => readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const labels = new Map(
    lines(`${name}.labels.tsv`)
      .slice(1)
      .map((line) => {
        const [id = '', label = ''] = line.split('\t');
        return [id, label];
      }),
  );
  const conversations = lines(`${name}.ndjson`).map((line) => JSON.parse(line));
  return { conversations, labels: conversations.map(({ id }) => labels.get(id) ?? '') };
}

/**
 * Returns which goals the figures of a data set miss; an empty array if none.
 *
 * @param {string} name
 * @param {{ ami: number, ari: number, clusters: number, singletons: number }} figures
 */
export function missedGoals(name, { ami, ari, clusters, singletons }) {
  const goal = goals[name];
  if (goal === undefined) return [];
  const checks = {
    [`AMI ${goal.ami}`]: ami >= goal.ami,
    [`ARI ${goal.ari}`]: ari >= goal.ari,
    [`${goal.minClusters} to ${goal.maxClusters} clusters`]:
      clusters >= goal.minClusters && clusters <= goal.maxClusters,
    [`at most ${100 * maxSingletons} % alone`]: singletons <= maxSingletons,
  };
  return Object.entries(checks).flatMap(([check, isMet]) => (isMet ? [] : [check]));
}
