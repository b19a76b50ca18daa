/**
 * The pattern of a segment that people choose for an address: letters and digits of any script, and characters that never need
 * encoding. `.` and `..` are not allowed, because they mean folders.
 */
export const addressPart = '^(?!\\.{1,2}$)(?:[\\w.~-]|[^\\x00-\\x9f\\s])+$';

/** The description of such a segment in messages. */
export const addressPartForm = 'letters, digits and -._~, but not "." or ".."';
