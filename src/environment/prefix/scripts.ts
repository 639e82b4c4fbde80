import { UNFINISHED } from '../local/tree.ts';

/** One line per file: type and mode, size, inode, times; the common subset of GNU's and BusyBox's `stat`. */
const FORMAT = '%f %s %i %y/%z';

/** Condition of `find` for hidden files: our own unfinished writes, and names with line breaks. */
const HIDDEN = `\\( -name '${UNFINISHED}*' -o -name "*$nl*" \\)`;

/**
 * Start of every script. `at path follow` stores the real path, with links resolved, in `$real`; `fail CODE` ends with
 * an error of the contract. `$wd`, `$roots` and `$closed` are set earlier.
 */
const PRELUDE = `
LC_ALL=C TZ=UTC0; export LC_ALL TZ
nl='
'
fail() { printf 'sandglass %s\\n' "$1" >&2; exit 97; }
find_real() {
	todo=$1 real= links=0
	while :; do
		todo=\${todo#"\${todo%%[!/]*}"}
		[ -n "$todo" ] || break
		part=\${todo%%/*}
		case $todo in */*) todo=\${todo#*/} ;; *) todo= ;; esac
		case $part in .) continue ;; ..) real=\${real%/*}; continue ;; esac
		if [ -e "\${real:-/}" ] && [ ! -d "\${real:-/}" ]; then fail ENOTDIR; fi
		if [ -d "\${real:-/}" ] && [ ! -x "\${real:-/}" ]; then fail EACCES; fi
		if [ -L "$real/$part" ] && { [ "$2" = 1 ] || [ -n "$todo" ]; }; then
			links=$((links + 1)); [ "$links" -le 40 ] || fail ELOOP
			target=$(readlink "$real/$part"; echo .); target=\${target%"$nl".}
			case $target in /*) real= ;; esac
			todo=$target/$todo
			[ "$todo" != "$target/" ] || todo=$target
		else real=$real/$part; fi
	done
	[ -n "$real" ] || real=/
}
is_in() {
	held=
	IFS=$nl; set -f
	for root in $2; do
		[ "$root" = / ] && held=1
		case $1/ in "$root"/*) held=1 ;; esac
	done
	unset IFS; set +f
	[ -n "$held" ]
}
at() {
	find_real "$1" "$2"
	is_in "$real" "$roots" || fail OUTSIDE
	if is_in "$real" "$closed"; then fail OUTSIDE; fi
}
there() { [ -e "$1" ] || [ -L "$1" ]; }
parents() { parent=\${1%/*}; [ -d "\${parent:-/}" ] || mkdir -p -- "$parent" || exit 98; }
look() { stat -c '${FORMAT}' -- "$1"; }
after() {
	printf '%s\\0' "$1"
	place=$1
	while there "$place"; do
		look "$place"
		case $place in "$wd"/*/*) place=\${place%/*} ;; *) break ;; esac
	done
}
below() { find "$@" ${HIDDEN} -prune -o -exec stat -c '${FORMAT} %n' {} + ; }
`;

/** Operations that take a path as `$1`. `answers.ts` parses their output. */
const OPERATIONS = {
	read: 'at "$1" 1; there "$real" || fail ENOENT; [ ! -d "$real" ] || fail EISDIR; [ -r "$real" ] || fail EACCES; cat <"$real" || exit 98',
	exists: 'at "$1" 1; if there "$real"; then echo yes; fi',
	find: 'at "$1" "$2"; there "$real" || fail ENOENT; after "$real"',
	write: `at "$1" 1; [ ! -d "$real" ] || fail EISDIR
mode=644
if [ -e "$real" ]; then
	[ -w "$real" ] || fail EACCES
	mode=$(stat -c %a -- "$real")
fi
parents "$real"
new=\${real%/*}/${UNFINISHED}$2
cat >"$new" || { rm -f -- "$new"; exit 98; }
[ "$(wc -c <"$new")" -eq "$3" ] || { rm -f -- "$new"; fail EIO; }
chmod "$mode" "$new" && mv -f -- "$new" "$real" || { rm -f -- "$new"; exit 98; }
after "$real"`,
	list: 'at "$1" 1; there "$real" || fail ENOENT; [ -d "$real" ] || fail ENOTDIR; [ -r "$real" ] || fail EACCES; printf "%s\\0" "$real"; below "$real" -mindepth 1 -maxdepth "$2"',
	remove: `at "$1" 0; there "$real" || fail ENOENT
look "$real"
if [ -d "$real" ] && [ ! -L "$real" ]; then
	if [ "$2" = 1 ]; then rm -rf -- "$real" || exit 98
	elif [ -n "$(ls -A -- "$real")" ]; then fail ENOTEMPTY
	else rmdir -- "$real" || exit 98; fi
else rm -f -- "$real" || exit 98; fi
printf '%s\\0' "$real"`,
	rename: `at "$1" 0; from=$real; there "$from" || fail ENOENT
at "$2" 0; to=$real
parents "$to"
if [ -d "$to" ] && [ ! -L "$to" ] && [ "$from" != "$to" ]; then
	[ -d "$from" ] && [ ! -L "$from" ] || fail EISDIR
	rmdir -- "$to" 2>/dev/null || fail ENOTEMPTY
elif [ -d "$from" ] && [ ! -L "$from" ] && there "$to" && [ "$from" != "$to" ]; then fail ENOTDIR
elif [ -L "$to" ]; then rm -f -- "$to"; fi
[ "$from" = "$to" ] || mv -f -- "$from" "$to" || exit 98
printf '%s\\0' "$from"; after "$to"`,
	mkdir: `at "$1" 1
if [ -d "$real" ]; then printf '%s\\0' "$real"; exit 0; fi
there "$real" && fail EEXIST
parents "$real"; mkdir -- "$real" || exit 98
after "$real"`,
	readlink: 'at "$1" 0; there "$real" || fail ENOENT; [ -L "$real" ] || fail EINVAL; readlink "$real"',
	symlink: 'at "$1" 0; there "$real" && fail EEXIST; parents "$real"; ln -s -- "$2" "$real" || exit 98; after "$real"',
	chmod: 'at "$1" 1; there "$real" || fail ENOENT; chmod "$2" "$real" || exit 98; after "$real"',
	/**
	 * Resolves the paths of several files or links, even if a link exists there, from lines without `.` and `..`.
	 * Resolves a directory once for consecutive lines in it, and reads the input as a whole: `read` makes a system call
	 * for each byte.
	 */
	places: `lines=$(cat) last=
IFS=$nl; set -f; set -- $lines; unset IFS; set +f
for line; do
	folder=\${line%/*}
	if [ "$folder" != "$last" ]; then
		find_real "$folder" 1
		[ ! -e "$real" ] || [ -d "$real" ] || fail ENOTDIR
		[ ! -d "$real" ] || [ -x "$real" ] || fail EACCES
		last=$folder above=\${real%/} is_inside=
		if is_in "$real" "$roots"; then is_inside=1; fi
	fi
	real=$above/\${line##*/}
	[ -n "$is_inside" ] || is_in "$real" "$roots" || fail OUTSIDE
	if [ -n "$closed" ] && is_in "$real" "$closed"; then fail OUTSIDE; fi
	[ ! -d "$real" ] || [ -L "$real" ] || fail EISDIR
	printf '%s\\0' "$real"
done`,
	/** Unpacks an archive with absolute paths, and describes the given paths. */
	unpack: `tar -xpmof - -C / || exit 98
stat -c '${FORMAT} %n' -- "$@" 2>/dev/null; true`,
	/** Packs the given paths. GNU tar interprets a backslash in a name as an escape, unless an option forbids it. */
	pack: `cd / || exit 98
unquoted=
case $* in *\\\\*) case $(tar --version 2>/dev/null) in *GNU*) unquoted=--no-unquote ;; esac ;; esac
tar $unquoted -cf - -- "$@" 2>/dev/null; true`,
	walk: '[ -d "$1" ] || exit 0; below "$1" -mindepth 1',
	stat: 'if there "$1"; then look "$1"; fi',
	reshape: `cd -- "$wd" || exit 98
while IFS= read -r line; do
	case $line in r*) rm -rf -- "./\${line#r}" || exit 98 ;; *) mkdir -p -- "./\${line#d}" || exit 98 ;; esac
done`,
	copy: 'new=$(mktemp -d "${TMPDIR:-/tmp}/sandglass-overlay-XXXXXX") && mkdir "$new/workspace" && cp -a -- "$wd/." "$new/workspace/" || exit 98; printf "%s\\0" "$new"',
	discard: 'case $1 in */sandglass-overlay-*) rm -rf -- "$1" ;; esac'
} as const;

export type Operation = keyof typeof OPERATIONS;

/** Builds the complete script of an operation; {@link settings} defines its paths. */
export const scriptOf = (operation: Operation, settings: string): string =>
	`${settings}${PRELUDE}${OPERATIONS[operation]}\n`;

/**
 * Inspects the other side: working directory and home with links resolved, the system's name, available programs, and
 * the variables, each terminated by a null character.
 */
export const OPENING = `
LC_ALL=C; export LC_ALL
mkdir -p -- "$1" && cd -- "$1" || exit 98
for program in stat find tar readlink mktemp; do command -v "$program" >/dev/null || { echo "There is no $program there." >&2; exit 98; }; done
stat -c '${FORMAT}' . >/dev/null || exit 98
has() { if command -v "$1" >/dev/null; then printf 'yes\\0'; else printf 'no\\0'; fi; }
pwd -P | tr '\\n' '\\0'
home=$2; [ -n "$home" ] || home=\${HOME:-/}
(cd -- "$home" 2>/dev/null && pwd -P || echo "$home") | tr '\\n' '\\0'
(cd -- "\${TMPDIR:-/tmp}" && pwd -P) | tr '\\n' '\\0'
uname -s | tr '\\n' '\\0'
uname -r | tr '\\n' '\\0'
has bash; has rg; has setsid
env -0
`;

/**
 * Runs the words from `$3` on in their own process group and reports, in lines that begin with `$1`, the group at the
 * start and the exit code at the end. Both outputs end with the mark, so that callers need not wait for output of
 * remaining children.
 */
export const RUNNER = `
mark=$1 cwd=$2
shift 2
cd -- "$cwd" || exit 98
exec 3<&0
if command -v setsid >/dev/null; then
	setsid sh -c 'printf "%s pid -%s\\n" "$1" $$ >&2; shift; exec "$@"' sh "$mark" "$@" <&3 3<&- &
else
	sh -c 'printf "%s pid %s\\n" "$1" $$ >&2; shift; exec "$@"' sh "$mark" "$@" <&3 3<&- &
fi
child=$!
exec 3<&-
wait "$child"; code=$?
left=; kill -s 0 -- "-$child" 2>/dev/null && left=left
printf '%s exit %s %s\\n' "$mark" "$code" "$left" >&2
printf '%s' "$mark"
`;

/** Sends `$2` to the group `$1`; if `$3` is 1, waits 2 s and then kills it (000 §4.2). */
export const KILLER = `
kill -s "$2" -- "$1" 2>/dev/null || exit 0
[ "$3" = 1 ] || exit 0
tries=0
while [ "$tries" -lt 40 ]; do
	kill -s 0 -- "$1" 2>/dev/null || exit 0
	sleep 0.05 2>/dev/null || sleep 1
	tries=$((tries + 1))
done
kill -s KILL -- "$1"
`;
