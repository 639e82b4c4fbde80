/** Milliseconds since the program started. Bound before a program can replace the clock of `performance`. */
export const nowMs: () => number = performance.now.bind(performance);
