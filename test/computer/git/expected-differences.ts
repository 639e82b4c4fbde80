/** Expected differences from the real git, with the reason for each. By theme, step and command. */
export const expectedDifferences: Record<string, string> = {
	'merges shown 15: git diff --stat': 'git forgets the newline after `Unmerged`',
	'searching 55: git log -n': 'a missing value exits with 129 here, as for every other option of git'
};
