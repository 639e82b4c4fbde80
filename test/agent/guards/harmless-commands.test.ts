import { describe, expect, it } from 'vitest';
import { isHarmless } from '#agent/guards/harmless-commands.ts';
import fc from '#test/fast-check.ts';

describe('where no command can be tried first', () => {
	it.each([
		'ls',
		'ls -la src',
		'cat a.txt b/c.txt',
		'head -20 a',
		'head -n 20 a',
		'wc -l a',
		'echo hello',
		'pwd',
		'tail -c5 x'
	])('runs one literal program that reads: %s', (line) => expect(isHarmless(line)).toBe(true));

	it.each([
		'ls; touch x',
		'ls && touch x',
		'ls\ntouch x',
		'to\\\nuch x',
		'ls $(touch x)',
		'ls `touch x`',
		'echo $"x"',
		'echo $((1))',
		'echo $[1]',
		'echo {a,b}',
		'echo x > y',
		'cat <(touch x)',
		'ls | xargs rm',
		'git status',
		'git -c core.fsmonitor=x status',
		'npm test',
		'uniq a b',
		'sort -o b a',
		'find . -delete',
		'cat /proc/1/environ',
		'cat ../secret',
		'cat a/../../b',
		'cat ~/.ssh/id_rsa',
		'date -s 2020-01-01',
		'tail -f a',
		'tail --pid=1 a',
		'ls --color=always',
		'FOO=1 ls',
		'"ls"',
		"l's'",
		'ls *',
		'ls ?',
		'!ls',
		'ls #x',
		'ls\tx',
		'ls\u00a0x',
		'constructor',
		'__proto__',
		'',
		' '
	])('asks about everything else: %j', (line) => expect(isHarmless(line)).toBe(false));

	/** One-letter options that only read, from GNU's manuals; `true` if several may be combined. */
	const letters: [program: string, options: string, together: boolean][] = [
		['basename', 'as', false],
		['cat', 'AbEensTtuv', true],
		['df', 'ahHiklPTm', true],
		['dirname', 'z', false],
		['du', 'abchklmsSx', true],
		['echo', 'neE', true],
		['false', '', false],
		['head', 'ncqv', false],
		['ls', '1AaBCcdFfGghHiklLmNnopQqRrSstTuUvwXxZ', true],
		['pwd', 'LP', false],
		['stat', 'Lft', false],
		['tail', 'ncqv', false],
		['true', '', false],
		['wc', 'clmLw', true],
		['which', 'a', false]
	];
	const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

	it.each(letters)('takes of %s the options %s alone', (program, options, together) => {
		const taken = alphabet.filter((letter) => isHarmless(`${program} -${letter}`));
		expect(taken.toSorted()).toEqual(alphabet.filter((letter) => options.includes(letter)).toSorted());
		for (const letter of taken) {
			expect(isHarmless(`${program} --${letter}`)).toBe(false);
			expect(isHarmless(`${program} -${letter}=x`)).toBe(false);
			expect(isHarmless(`${program} -${letter}${letter}`)).toBe(together);
		}
		expect(isHarmless(`${program} --help`)).toBe(false);
	});

	it.each(['du -d1', 'du -d12', 'head -5', 'head -c20', 'tail -5', 'tail -20', ' ls ', 'ls  -l'])('runs %j', (line) =>
		expect(isHarmless(line)).toBe(true)
	);

	it.each(['du -dx', 'du -d', 'du -d1=', 'head -x5', 'tail -x5', 'tail --5', 'head -5k'])('asks about %j', (line) =>
		expect(isHarmless(line)).toBe(false)
	);

	it('accepts no character that a shell gives a meaning', () => {
		const special = fc.constantFrom(...'\\\'"`$;&|<>(){}[]*?!#~^\n\r\t\0');
		fc.assert(
			fc.property(fc.string({ unit: fc.oneof(special, fc.constantFrom(...'ls cat-a/.')), maxLength: 12 }), (rest) => {
				const line = `ls ${rest}`;
				if (isHarmless(line)) expect(line).toMatch(/^[\w./=:@,+% -]*$/);
			}),
			{ numRuns: 2_000 }
		);
	});
});
