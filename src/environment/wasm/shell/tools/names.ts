/**
 * The commands of just-bash that the shell uses. Named here, since the library is loaded only when one is
 * called; the others the shell has better ones for, or they make no sense here.
 */
export const COMMAND_NAMES: readonly string[] = (
	'awk base64 basename cat chmod clear column comm cp cut date diff dirname du egrep expand expr fgrep ' +
	'file find fold grep gunzip gzip head html-to-markdown join jq ln ls md5sum mkdir mv nl od paste ' +
	'readlink rev rm rmdir sed seq sha1sum sha256sum sort split stat strings tac tail touch tr tree ' +
	'unexpand uniq wc zcat'
).split(' ');
