import '#computer/build/shims/globals.ts';

/** What only some commands need. Carried by the shell as text, see `library.ts`. */
export { diffArrays, structuredPatch } from 'diff';
export { Bash, defineCommand } from 'just-bash/browser';
