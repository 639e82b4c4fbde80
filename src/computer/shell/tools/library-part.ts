import '#computer/build/shims/globals.ts';

/** Code that only some commands need. Included in the shell as text, see `library.ts`. */
export { diffArrays, structuredPatch } from 'diff';
export { Bash, defineCommand } from 'just-bash/browser';
