/**
 * The commands of just-bash that the shell uses. Named here, since the library is loaded only when one is
 * called; the others the shell has better ones for, or they make no sense here.
 */
export const COMMAND_NAMES: readonly string[] = 'clear column gunzip gzip html-to-markdown rev strings zcat'.split(' ');
