/** One damage in a store. `-` as table or ID: it is not in a certain table or row. */
export interface Damage {
  readonly table: string;
  readonly id: string;
  readonly what: string;
}

export type ReportDamage = (damage: Damage) => void;
