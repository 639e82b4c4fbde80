import type { ExecutionEnvironment } from './contract.ts';
import { shellWord } from './shell-word.ts';

/**
 * Settings that name a program; git in the tab turns them off. No other setting there runs a program implicitly: merge
 * drivers run only in merges, which Sandglass does not start by itself, and filters and external diffs are not
 * supported.
 */
const TAB_SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'core.editor=:', 'core.pager=cat'];
/** Variables of git in the tab: nothing is fetched, not even what a partial clone lacks. */
const TAB_VARIABLES = 'GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none';

/**
 * Repository settings that determine how its files are read. All others are ignored, and with them every program:
 * fsmonitor, hooks, filters, pagers, editors, aliases, external diff, signing, credentials, transports, includes.
 */
const KEPT_SETTINGS =
	'^(core\\.(ignorecase|filemode|symlinks|precomposeunicode|autocrlf|eol|safecrlf)|extensions\\.(objectformat|refstorage))$';

/**
 * Gives git a repository made of the real objects, refs and index but with our own configuration, using the variable
 * `GIT_COMMON_DIR`. Overriding settings one by one would miss those whose names the repository chooses, and would not
 * affect the submodules. Programs are not taken from the repository's directory either (`node_modules/.bin`).
 */
const ISOLATION = `set -f
top=$(pwd -P)
while [ ! -e "$top/.git" ]; do [ -n "$top" ] || exit 128; top=\${top%/*}; done
clean=; IFS=:
for entry in $PATH; do case $entry/ in "$top"/*) ;; /*) clean=$clean\${clean:+:}$entry ;; esac; done
unset IFS
PATH=$clean; export PATH
for name in $(env | sed -n 's/^\\(GIT_[A-Za-z0-9_]*\\)=.*/\\1/p'); do
	case $name in GIT_AUTHOR_NAME|GIT_AUTHOR_EMAIL|GIT_COMMITTER_NAME|GIT_COMMITTER_EMAIL) ;; *) unset "$name" ;; esac
done
unset EDITOR VISUAL PAGER SSH_ASKPASS
own=$(mktemp -d "\${TMPDIR:-/tmp}/sandglass-git-XXXXXX") || exit 128
trap 'rm -rf -- "$own"' EXIT
setting() { (cd / && GIT_CONFIG_NOSYSTEM=1 git config --no-includes "$@"); }
for field in name email; do
	value=$(setting --global --get "user.$field") && setting -f "$own/config" "user.$field" "$value"
done
real=$top/.git
if [ -f "$real" ]; then
	real=$(sed -n 's/^gitdir: //p' "$top/.git")
	case $real in /*) ;; *) real=$top/$real ;; esac
fi
common=$real
if [ -f "$real/commondir" ]; then
	IFS= read -r common <"$real/commondir"
	case $common in /*) ;; *) common=$real/$common ;; esac
fi
mkdir "$own/info"
for name in objects refs packed-refs logs shallow reftable info/exclude info/sparse-checkout; do
	[ ! -e "$common/$name" ] || ln -s "$common/$name" "$own/$name"
done
setting -f "$own/config" core.repositoryformatversion 1
setting -f "$own/config" core.bare false
setting -f "$common/config" --get-regexp ${shellWord(KEPT_SETTINGS)} 2>/dev/null | while read -r key value; do
	case $value in ''|*[!A-Za-z0-9]*) ;; *) setting -f "$own/config" "$key" "$value" ;; esac
done
GIT_DIR=$real GIT_COMMON_DIR=$own GIT_WORK_TREE=$top HOME=$own XDG_CONFIG_HOME=$own
GIT_CONFIG_GLOBAL=$own/none GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1
GIT_ALLOW_PROTOCOL=none GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat GIT_EDITOR=: GIT_SEQUENCE_EDITOR=:
export GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE HOME XDG_CONFIG_HOME GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM GIT_ATTR_NOSYSTEM
export GIT_OPTIONAL_LOCKS GIT_NO_LAZY_FETCH GIT_ALLOW_PROTOCOL GIT_TERMINAL_PROMPT GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR
set +f
all_but_submodules() {
	printf ':/\\0'
	git ls-files -s -z | tr '\\n\\0' '\\001\\n' | sed -n 's/^160000 [0-9a-f]* [0-3]\t/:(top,exclude,literal)/p' | tr '\\n\\001' '\\0\\n'
}
`;

/** Arguments of one git call: plain words, or quoted shell words. */
export type GitArguments = string;

/**
 * Returns a command line that runs git on behalf of Sandglass itself, one call after another while they succeed.
 * Nothing that the repository or a nested one specifies is executed; every call that Sandglass makes without a request
 * of the user goes through here. LFS filters do not run either, and submodules stay as committed.
 */
export function ownGit(environment: Pick<ExecutionEnvironment, 'platform'>, ...calls: GitArguments[]): string {
	if (environment.platform() === 'wasm') {
		const settings = TAB_SETTINGS.map((setting) => `-c ${setting}`).join(' ');
		return calls.map((call) => `${TAB_VARIABLES} git ${settings} ${call}`).join(' && ');
	}
	return `${ISOLATION}${calls.map(isolatedCall).join(' && ')}`;
}

/**
 * Keeps git out of submodules: to check whether one is dirty, git would run inside it with its settings, and
 * `.gitmodules` may request that. Writes settings to the repository's own configuration, since ours is removed after
 * the calls.
 */
function isolatedCall(call: GitArguments): string {
	if (call.startsWith('config ')) return `git config -f "$common/config" ${call.slice('config '.length)}`;
	if (/^add (?:-A|--all)$/.test(call))
		return 'all_but_submodules >"$own/paths" && git add -A --pathspec-from-file="$own/paths" --pathspec-file-nul';
	return `git ${call.replace(/^(?:status|diff)\b/, '$& --ignore-submodules=all')}`;
}
