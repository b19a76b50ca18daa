/**
 * The pattern of a part of an address that people choose: letters and digits of any script, and the marks that no address has to
 * encode. `.` and `..` stand for folders.
 */
export const addressPart = '^(?!\\.{1,2}$)(?:[\\w.~-]|[^\\x00-\\x9f\\s])+$';

/** The form of such a part in words. */
export const addressPartForm = 'letters, digits and -._~, but not "." or ".."';
