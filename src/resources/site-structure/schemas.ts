import { closed, Id, nullable, Type } from '../../contract/schema.ts';

/**
 * The pattern of a part of an address that people choose: letters and digits of any script, and the marks that no address has to
 * encode. `.` and `..` stand for folders.
 */
export const addressPart = '^(?!\\.{1,2}$)(?:[\\w.~-]|[^\\x00-\\x9f\\s])+$';

/** The form of such a part in words. */
export const addressPartForm = 'letters, digits and -._~, but not "." or ".."';

/** What the answer to the restoration of a space says about the sites that showed it before. Not in the official API. */
export const formerSites = {
  formerSites: Type.Optional(
    Type.Array(closed({ id: Id, title: Type.String(), section: Type.Optional(nullable(Id)) })),
  ),
};
