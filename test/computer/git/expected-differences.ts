/** Where the real git prints something else, and why ours does not. By theme, step and command. */
export const expectedDifferences: Record<string, string> = {
	'merges shown 15: git diff --stat': 'git forgets the newline after `Unmerged`',
	'searching 35: git log --format="%x09%s%n%w(40,2,4)%b" -1': 'lines are not wrapped',
	'searching 55: git log -n': 'a missing value exits with 129 here, as for every other option of git'
};
