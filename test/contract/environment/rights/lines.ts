import type { RightsCapability } from './fixture.ts';

/** A command line for the fixture that changes files, and its effects. */
export interface ChangingLine {
	command: string;
	/** `kind path`, sorted by path, as reported by a trial. */
	effects: readonly string[];
	needs?: RightsCapability;
}

const REMOVED_DEEP = ['removed deep/er/x.txt', 'removed deep/er/y.txt', 'removed deep/z.txt'];

/** Commands with one way each to change a file: by redirection, by program, by a program started by another one. */
export const CHANGING_LINES: readonly ChangingLine[] = [
	{ command: 'echo new > made.txt', effects: ['added made.txt'] },
	{ command: 'echo changed > a.txt', effects: ['modified a.txt'] },
	{ command: 'echo four >> a.txt', effects: ['modified a.txt'] },
	{ command: ': > a.txt', effects: ['modified a.txt'] },
	{ command: 'echo tee | tee made.txt > /dev/null', effects: ['added made.txt'] },
	{ command: 'cp a.txt made.txt', effects: ['added made.txt'] },
	{ command: 'cp -r deep copy', effects: ['added copy/er/x.txt', 'added copy/er/y.txt', 'added copy/z.txt'] },
	{ command: 'rm a.txt', effects: ['removed a.txt'] },
	{ command: 'rm -r deep', effects: REMOVED_DEEP },
	{
		command: 'rm -r deep && mkdir deep && echo n > deep/n.txt',
		effects: ['removed deep/er/x.txt', 'removed deep/er/y.txt', 'added deep/n.txt', 'removed deep/z.txt']
	},
	{ command: 'rm -r deep && echo file > deep', effects: ['added deep', ...REMOVED_DEEP] },
	{ command: 'rm b.txt && mkdir b.txt && echo in > b.txt/in', effects: ['removed b.txt', 'added b.txt/in'] },
	{ command: 'mv a.txt moved.txt', effects: ['removed a.txt', 'added moved.txt'] },
	{ command: 'mv a.txt b.txt', effects: ['removed a.txt', 'modified b.txt'] },
	{
		command: 'mv deep moved',
		effects: [...REMOVED_DEEP, 'added moved/er/x.txt', 'added moved/er/y.txt', 'added moved/z.txt']
	},
	{ command: 'mkdir -p made/here', effects: ['added made/here'] },
	{ command: 'rm a.txt; echo one > a.txt', effects: ['modified a.txt'] },
	{ command: 'sed -i s/two/2/ a.txt', effects: ['modified a.txt'] },
	{ command: 'find deep -name "x.*" -exec rm {} \\;', effects: ['removed deep/er/x.txt'] },
	{ command: 'find deep -name "y.*" -delete', effects: ['removed deep/er/y.txt'] },
	{ command: "sh -c 'echo nested > made.txt'", effects: ['added made.txt'] },
	{ command: 'sh run.sh > made.txt', effects: ['added made.txt'] },
	{ command: '(cd deep && (cd er && echo sub > x.txt))', effects: ['modified deep/er/x.txt'] },
	{ command: 'ls *.txt | xargs rm', effects: ['removed a.txt', 'removed b.txt'] },
	{
		command: "printf 'a.txt\\nb.txt\\n' | xargs -I{} sh -c 'echo x >> {}'",
		effects: ['modified a.txt', 'modified b.txt']
	},
	{ command: 'awk \'{ print > "made.txt" }\' a.txt', effects: ['added made.txt'] },
	{ command: 'sort -o a.txt a.txt', effects: ['modified a.txt'] },
	{ command: 'ec\\\nho split > made.txt', effects: ['added made.txt'] },
	{ command: 'eval "echo evaluated > made.txt"', effects: ['added made.txt'] },
	{ command: 'f() { echo body > made.txt; }; f', effects: ['added made.txt'] },
	{ command: 'echo "$(echo inner > made.txt)"', effects: ['added made.txt'] },
	{ command: 'trap "echo late > made.txt" EXIT', effects: ['added made.txt'] },
	{ command: 'echo later > made.txt & wait', effects: ['added made.txt'], needs: 'background' },
	{
		command: 'nohup sh -c "echo up > made.txt" > /dev/null 2>&1 & wait',
		effects: ['added made.txt'],
		needs: 'background'
	},
	{
		command: 'setsid sh -c "echo own > made.txt" & wait; while [ ! -s made.txt ]; do sleep 0.02; done',
		effects: ['added made.txt'],
		needs: 'background'
	},
	{ command: 'chmod +x a.txt', effects: ['modified a.txt'], needs: 'modes' },
	{ command: 'chmod -x run.sh', effects: ['modified run.sh'], needs: 'modes' },
	{ command: 'ln -s a.txt link', effects: ['added link'], needs: 'symlinks' },
	{ command: 'rm a.txt && ln -s b.txt a.txt', effects: ['modified a.txt'], needs: 'symlinks' },
	{
		command: 'ln -s deep to && echo through > to/z.txt',
		effects: ['modified deep/z.txt', 'added to'],
		needs: 'symlinks'
	},
	{ command: 'ln a.txt hard.txt', effects: ['added hard.txt'], needs: 'hard links' },
	{ command: `node -e "require('fs').writeFileSync('made.txt', 'node')"`, effects: ['added made.txt'], needs: 'node' },
	{
		command: `node -e "require('fs').renameSync('a.txt', 'c.txt')"`,
		effects: ['removed a.txt', 'added c.txt'],
		needs: 'node'
	},
	{ command: `node -e "require('fs').rmSync('deep', { recursive: true })"`, effects: REMOVED_DEEP, needs: 'node' },
	{
		command: `node -e "require('child_process').execFileSync('sh', ['-c', 'echo child > made.txt'])"`,
		effects: ['added made.txt'],
		needs: 'node'
	}
];

/** Lines that read, compute and print, and change nothing. */
export const HARMLESS_LINES: readonly string[] = [
	'true',
	'cat a.txt | sort | head -n 1',
	'grep -rn two . | wc -l',
	'find . -name "*.txt" | xargs cat > /dev/null',
	'for f in *.txt; do wc -l "$f"; done',
	"awk 'BEGIN { print 6 * 7 }'",
	'sh -c \'sh -c "cat b.txt"\'',
	'sed s/one/1/ a.txt',
	'cat < a.txt > a.copy && cat a.copy && rm a.copy',
	'cp a.txt /tmp/rights-scratch.txt && cat /tmp/rights-scratch.txt'
];
