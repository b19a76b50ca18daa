/** Default number of days after which audit events are removed. */
export const defaultAuditDays = 365;

/** Minimum and maximum number of days after which audit events are removed. */
export const auditDaysRange = { minimum: 1, maximum: 3650 } as const;
