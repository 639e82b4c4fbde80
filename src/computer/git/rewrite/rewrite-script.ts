import { quoteWord } from '../shell-words.ts';
import type { RewriteOptions } from './filters.ts';

/** Functions that filters can call, as documented in git-filter-branch(1). */
const FUNCTIONS = `
warn() {
	printf '%s\\n' "$*" >&2
}
die() {
	printf '\\n%s\\n' "$*" >&2
	exit 1
}
map() {
	if test -r "$workdir/../map/$1"; then
		cat "$workdir/../map/$1"
	else
		printf '%s\\n' "$1"
	fi
}
skip_commit() {
	shift
	while test $# -gt 1; do
		map "$2"
		shift 2
	done
}
git_commit_non_empty_tree() {
	if test $# -eq 3 && test "$1" = "$(git rev-parse "$3^{tree}")"; then
		map "$3"
	elif test $# -ne 1 || test "$1" != "$(git hash-object -t tree /dev/null)"; then
		git commit-tree "$@"
	fi
}
`;

/** Turns the original parents into options for commit-tree, each rewritten parent once. */
const PARENTS = `
new_parents() {
	for original in $parents; do
		for parent in $(map "$original"); do
			case " $parentstr " in
			*" -p $parent "*) ;;
			*) parentstr="$parentstr -p $parent" ;;
			esac
		done
	done
}
`;

/**
 * Shell script that rewrites the commits listed in `../commits`, one id per line, oldest first. One shell runs all
 * filters, so that variables and functions of the setup persist. Each commit's identity, parents and tree are in
 * `../given/<id>`, its message in `../given/<id>.message`; the results are written to `../map/<id>`.
 * At its end the script creates `../finished`, which is missing if a filter exits the shell.
 *
 * @param count number of commits
 */
export function rewriteScript({ filters, prunesEmpty }: RewriteOptions, count: number): string {
	const step = (command: string, what: string) =>
		command === '' ? '' : `eval ${quoteWord(command)} </dev/null || die ${quoteWord(`${what} failed: ${command}`)}\n`;
	const usesIndex = filters.tree !== '' || filters.index !== '';
	const parentFilter = quoteWord(filters.parent);
	return [
		FUNCTIONS,
		PARENTS,
		step(filters.setup, 'filter setup'),
		'while read commit <&3; do\n',
		`rewrite_number=$((\${rewrite_number:-0} + 1))\nprintf '\\rRewrite %s (%d/${count})    ' "$commit" "$rewrite_number"\n`,
		'test -f "$workdir/../map/$commit" && continue\n',
		'. "$workdir/../given/$commit"\n',
		usesIndex ? 'git read-tree -i -m "$tree" || die "Could not initialize the index"\n' : '',
		step(filters.env, 'env filter'),
		filters.tree === '' ? '' : treeSteps(step(filters.tree, 'tree filter')),
		step(filters.index, 'index filter'),
		'parentstr=\nnew_parents\n',
		filters.parent === ''
			? ''
			: `parentstr=$(printf '%s\\n' "$parentstr" | eval ${parentFilter}) || die ${quoteWord(`parent filter failed: ${filters.parent}`)}\n`,
		'message=../given/$commit.message\n',
		filters.message === ''
			? ''
			: `(eval ${quoteWord(filters.message)}) <"$message" >../message || die ${quoteWord(`msg filter failed: ${filters.message}`)}\nmessage=../message\n`,
		usesIndex ? 'tree=$(git write-tree) || die "Could not write the tree of $commit"\n' : '',
		commitStep(filters.commit, prunesEmpty),
		'done 3<../commits\n',
		'while read name ancestor <&3; do\nmap "$ancestor" >"../map/$name"\ndone 3<../ancestors\n',
		filters.tagName === '' ? '' : tagSteps(filters.tagName),
		': >../finished\n'
	].join('');
}

/** Checks out the tree, runs the filter there, and stages its changes. */
const treeSteps = (filter: string): string =>
	'git checkout-index -f -u -a || die "Could not checkout the index"\n' +
	// Files of the commit before are still there.
	'git clean -d -q -f -x\n' +
	filter +
	'{ git diff-index -r -z --name-only --ignore-submodules "$commit" -- && git ls-files -z --others; } >../changed || exit\n' +
	'git update-index -z --add --replace --remove --stdin <../changed || exit\n';

function commitStep(filter: string, prunesEmpty: boolean): string {
	const usual = prunesEmpty ? 'git_commit_non_empty_tree' : 'git commit-tree';
	const command =
		filter === ''
			? `${usual} "$tree" $parentstr`
			: `sh -c ${quoteWord(`${FUNCTIONS}\n${filter}`)} 'git commit-tree' "$tree" $parentstr`;
	return `${command} <"$message" >"../map/$commit" || die 'could not write rewritten commit'\n`;
}

/** Runs the filter for the names of tags in `../tags`, and writes the new names to `../new-tags`. */
const tagSteps = (filter: string): string =>
	'while read GIT_COMMIT ref <&3; do\nexport GIT_COMMIT\ntest -f "../map/$GIT_COMMIT" || continue\n' +
	`name=$(printf '%s\\n' "$ref" | eval ${quoteWord(filter)}) || die ${quoteWord(`tag name filter failed: ${filter}`)}\n` +
	'printf \'%s %s\\n\' "$ref" "$name"\ndone 3<../tags >../new-tags\n';
