/** Milliseconds since the program began. Taken before a program can put a clock of its own in place of `performance`. */
export const nowMs: () => number = performance.now.bind(performance);
