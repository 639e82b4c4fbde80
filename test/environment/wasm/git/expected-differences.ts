/** Where the real git prints something else, and why ours does not. */
export const expectedDifferences: Record<string, string> = {};
