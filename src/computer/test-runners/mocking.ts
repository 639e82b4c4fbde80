/** Gives a hoisted call access to `vi` or `jest`, independent of the file's imports. */
export const MOCKING = '__sandglass_mocking';
