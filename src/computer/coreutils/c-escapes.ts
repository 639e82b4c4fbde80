/** Characters for the letters after a backslash, as in C and GNU's commands. */
export const C_ESCAPES = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' } as const;
