/** Where a hoisted call finds `vi` or `jest`, whatever the file imports later. */
export const MOCKING = '__sandglass_mocking';
