/** Days that audit events are kept unless an organization chooses another number. */
export const defaultAuditDays = 365;

/** The fewest and the most days that audit events can be kept. */
export const auditDaysRange = { minimum: 1, maximum: 3650 } as const;
