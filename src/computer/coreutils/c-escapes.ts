/** Characters for the letters after a backslash in C, as GNU's commands read them. */
export const C_ESCAPES = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' } as const;
