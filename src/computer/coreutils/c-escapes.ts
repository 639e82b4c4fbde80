/** Escape letters after a backslash in C, as GNU's commands parse them. */
export const C_ESCAPES = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' } as const;
