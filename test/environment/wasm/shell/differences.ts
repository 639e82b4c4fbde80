/** Theme → command → why its answer differs from what was recorded. One that starts to agree must leave the list. */
export const DIFFERENCES: Record<string, Record<string, string>> = {};
