const OBJECT_ID = /^[0-9a-f]{40}$/;

/** Tests for a whole object id as git writes it: 40 lower-case hexadecimal digits (SHA-1). */
export const isObjectId = (text: string): boolean => OBJECT_ID.test(text);
