/** Advice if amending would leave a commit without changes. */
export const EMPTY_AMEND = `You asked to amend the most recent commit, but doing so would make
it empty. You can repeat your command with --allow-empty, or you can
remove the commit entirely with "git reset HEAD^".
`;

/**
 * Advice if a pick has nothing left to commit.
 *
 * @param isRebase whether the pick is part of a rebase
 * @param several whether more picks may follow
 */
export function emptyPick(isRebase: boolean, several: boolean): string {
	const next = isRebase
		? "Otherwise, please use 'git rebase --skip'\n"
		: several
			? 'If you wish to skip this commit, use:\n\n    git cherry-pick --skip\n\n' +
				'Then "git cherry-pick --continue" will resume cherry-picking\nthe remaining commits.\n'
			: "Otherwise, please use 'git cherry-pick --skip'\n";
	return `The previous cherry-pick is now empty, possibly due to conflict resolution.
If you wish to commit it anyway, use:

    git commit --allow-empty

${next}`;
}
