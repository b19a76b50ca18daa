/** One thing that is wrong in a store. A table or ID of `-` means that it is not about one. */
export interface Damage {
  readonly table: string;
  readonly id: string;
  readonly what: string;
}

export type ReportDamage = (damage: Damage) => void;
