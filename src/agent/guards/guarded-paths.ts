/** Files that run automatically or determine what later commands do: a rule for their directory does not cover them. */

/** Case is ignored, since some file systems ignore it. */
const RUNS_BY_ITSELF = new RegExp(
	[
		String.raw`(^|/)(?:\.git|\.husky|\.githooks|\.vscode|\.idea|\.devcontainer|\.sandglass)(/|$)`,
		String.raw`(^|/)\.(?:envrc|npmrc|yarnrc(?:\.yml)?|pnpmfile\.c?js|gitmodules|gitattributes|mise\.toml|tool-versions|pre-commit-config\.yaml)$`,
		// Shell start files.
		String.raw`(^|/)\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|zshrc|zshenv|zprofile|zlogin|kshrc|inputrc)$`,
		// Continuous integration.
		String.raw`(^|/)\.(?:github|gitea|forgejo)/(?:workflows|actions)/`,
		String.raw`(^|/)(?:\.gitlab-ci\.yml|\.travis\.yml|\.drone\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|appveyor\.yml|Jenkinsfile)$`,
		String.raw`(^|/)\.(?:circleci|buildkite|woodpecker)/`
	].join('|'),
	'i'
);

/** Files that package managers write in a project. */
const INSTALLED =
	/(?:^|\/)(?:(?:node_modules|\.venv|venv)\/|(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|uv\.lock|poetry\.lock)$)/;

/** Data of commits and branches; nothing in it is executed. */
const GIT_HISTORY =
	/^\.git\/(?:objects|refs|logs)\/|^\.git\/(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|MERGE_MSG|MERGE_MODE|CHERRY_PICK_HEAD|REVERT_HEAD|AUTO_MERGE|COMMIT_EDITMSG|index|packed-refs|shallow)$/;

/**
 * Returns true if each write to `path` needs its own permission.
 *
 * @param path relative to the workspace if it is inside it
 */
export function isGuarded(path: string): boolean {
	if (path.startsWith('~') || path.startsWith('/')) return true;
	// Packages contain such files of their own projects, but nothing reads them there.
	return !/(^|\/)node_modules\//.test(path) && RUNS_BY_ITSELF.test(path);
}

/** Returns true if `path`, relative to the workspace, contains git's history but no settings or hooks. */
export function isGitHistory(path: string): boolean {
	return GIT_HISTORY.test(path);
}

/** Returns true for files that a package installation writes: packages, lockfiles, package.json. */
export function isInstalled(path: string): boolean {
	return INSTALLED.test(path);
}

/**
 * Returns true if a change of package.json changes what npm executes: its scripts, or settings of tools that
 * install hooks.
 */
export function changesScripts(path: string, before: Uint8Array | null, after: Uint8Array | null): boolean {
	if (!/(^|\/)package\.json$/i.test(path)) return false;
	return JSON.stringify(scriptsOf(before)) !== JSON.stringify(scriptsOf(after));
}

function scriptsOf(bytes: Uint8Array | null): unknown {
	if (bytes === null) return {};
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		// Invalid JSON before and after counts as unchanged; a file that became valid does not.
		return null;
	}
	if (typeof json !== 'object' || json === null) return {};
	const wanted = ['scripts', 'husky', 'simple-git-hooks', 'lint-staged', 'pre-commit', 'bin', 'gypfile'];
	const found = Object.entries(json).filter(([name]) => wanted.includes(name));
	return Object.fromEntries(found.filter(([, value]) => JSON.stringify(value) !== '{}'));
}
