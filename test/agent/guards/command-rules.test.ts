import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandPattern, isCommandAllowed } from '../../../src/agent/guards/command-rules.ts';
import { splitCommand } from '../../../src/agent/guards/command-words.ts';

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

	it('follow what was allowed, by whole words and only for that', () => {
		expect(isCommandAllowed('npm test -- --watch', ['npm test'])).toBe(true);
		expect(isCommandAllowed('npm test && ls', ['npm test'])).toBe(true);
		expect(isCommandAllowed('npm testing', ['npm test'])).toBe(false);
		expect(isCommandAllowed('npm test; rm x', ['npm test'])).toBe(false);
		expect(isCommandAllowed('npm test > x', ['npm test'])).toBe(false);
		expect(isCommandAllowed('src/evil.sh', ['src/**'])).toBe(false);
	});

	it.each([
		['git commit -m "x"', 'git commit'],
		['npm run build', 'npm run build'],
		['npm test', 'npm test'],
		['make -j4', 'make'],
		['ls && cargo build --release', 'cargo build'],
		['npm ci && npm test', 'npm ci && npm test'],
		['bash -c "rm x"', 'bash -c "rm x"'],
		['node script.js', 'node script.js'],
		['echo a > b', 'echo a > b']
	])('remember of %s: %s', (line, pattern) => {
		expect(commandPattern(line, [])).toBe(pattern);
		expect(isCommandAllowed(line, [pattern])).toBe(true);
	});
});
