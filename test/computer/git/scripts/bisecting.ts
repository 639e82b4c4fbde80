const commits = (count: number, from = 1) =>
	Array.from({ length: count }, (_, i) => [
		`write f.txt "${from + i}\\n"`,
		'git add f.txt',
		`git commit -qm "change ${from + i}"`
	]).flat();

/** Searches for the commit that introduced a bug. */
export const bisecting: Record<string, string[]> = {
	'bisect, good and bad one by one': [
		'git init -q',
		...commits(9),
		'git bisect good',
		'git bisect',
		'git bisect reset',
		'git bisect start',
		'git status',
		'git bisect bad',
		'git bisect log',
		'git bisect good HEAD~8',
		'git status',
		'git log --oneline -1',
		'git bisect good',
		'git bisect bad',
		'git bisect bad nope',
		'git bisect log',
		'git bisect good',
		'git bisect log',
		'git bisect terms',
		'git status -sb',
		'git bisect reset',
		'git status',
		'git branch'
	],
	'bisect, other numbers of commits': [
		'git init -q',
		...commits(12),
		...[1, 2, 3, 4, 5, 6, 7, 10, 11].flatMap((back) => [
			`git bisect start HEAD HEAD~${back}`,
			'git rev-parse HEAD',
			'git bisect bad',
			'git bisect reset'
		]),
		'git bisect start HEAD~11 HEAD',
		'git bisect reset',
		'git bisect start HEAD HEAD~2',
		'git bisect skip',
		'git bisect reset main~1',
		'git checkout -q main',
		'git bisect start --term-new broken --term-old fine',
		'git bisect broken',
		'git bisect fine HEAD~4',
		'git bisect terms',
		'git bisect fine',
		'git bisect reset'
	],
	'bisect through a merge': [
		'git init -q',
		...commits(3),
		'git branch side',
		...commits(3, 4),
		'git checkout -q side',
		'write s.txt "1\\n"',
		'git add s.txt',
		'git commit -qm "side 1"',
		'write s.txt "2\\n"',
		'git commit -qam "side 2"',
		'git checkout -q main',
		'git merge -q side -m "merge side"',
		...commits(2, 7),
		'git bisect start HEAD HEAD~4',
		'git bisect reset',
		'git bisect start main main~6',
		'git bisect good',
		'git bisect good',
		'git bisect bad',
		'git bisect reset',
		'git submodule status',
		'git submodule'
	]
};
