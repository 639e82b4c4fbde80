import { beforeAll, expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

let shell: ShellInMemory;
const out = async (command: string, input = '') => {
	const { stdout, stderr, code } = await shell.run(command, new TextEncoder().encode(input));
	return [stdout.toString('utf8'), stderr, code];
};

beforeAll(() => {
	shell = new ShellInMemory();
	shell.write('/workspace/a', new TextEncoder().encode('one\n\ntwo\n'));
});

it('turns tabs into spaces up to the next stop', async () => {
	expect(await out('expand', 'a\tb\n\tc')).toEqual(['a       b\n        c', '', 0]);
	expect(await out('expand -t 4', 'a\tb\n')).toEqual(['a   b\n', '', 0]);
	expect(await out('expand -t 2,5', '\t\t\tx\n')).toEqual(['      x\n', '', 0]);
	expect(await out('expand -t 2,/4', '\t\t\tx\n')).toEqual(['        x\n', '', 0]);
	expect(await out('expand -i', '\ta\tb\n')).toEqual(['        a\tb\n', '', 0]);
	expect(await out('expand -t 0', '')).toEqual(['', 'expand: tab size cannot be 0\n', 1]);
});

it('turns blanks into tabs: leading ones, with -a and -t all', async () => {
	const text = `${' '.repeat(9)}a${' '.repeat(8)}b\n`;
	expect(await out('unexpand', text)).toEqual([`\t a${' '.repeat(8)}b\n`, '', 0]);
	expect(await out('unexpand -a', text)).toEqual([`\t a\t  b\n`, '', 0]);
	expect(await out('unexpand -t 4', `${' '.repeat(6)}a   b\n`)).toEqual(['\t  a\t  b\n', '', 0]);
	expect(await out('unexpand -a', '1234567 8\n')).toEqual(['1234567 8\n', '', 0]);
	expect(await out('unexpand -a', '1234567  8\n')).toEqual(['1234567\t 8\n', '', 0]);
	expect(await out('unexpand -t 4 --first-only', '    a    b\n')).toEqual(['\ta    b\n', '', 0]);
});

it('numbers the lines that a style chooses, and leaves blanks before the others', async () => {
	expect(await out('nl a')).toEqual(['     1\tone\n       \n     2\ttwo\n', '', 0]);
	expect(await out('nl -ba -w2 -s: -v5 -i5 a')).toEqual([' 5:one\n10:\n15:two\n', '', 0]);
	expect(await out('nl -b n a')).toEqual(['       one\n       \n       two\n', '', 0]);
	expect(await out('nl -b p^t -n rz -w 3 a')).toEqual(['    one\n    \n001\ttwo\n', '', 0]);
	expect(await out('nl -h a', '\\:\\:\\:\nhead\n\\:\\:\nbody\n\\:\nfoot\n')).toEqual([
		'\n     1\thead\n\n     1\tbody\n\n       foot\n',
		'',
		0
	]);
	expect(await out('nl -n xx a')).toEqual(['', "nl: invalid line numbering format: 'xx'\n", 1]);
});

it('sums bytes as BSD and as System V', async () => {
	expect(await out('sum a')).toEqual(['36721     1 a\n', '', 0]);
	expect(await out('sum a a')).toEqual(['36721     1 a\n36721     1 a\n', '', 0]);
	expect(await out('sum -s a')).toEqual(['698 1 a\n', '', 0]);
});

it('factors numbers of 64 bits and more, with blanks and a plus before them', async () => {
	expect(await out('factor 0 1 97 1001')).toEqual(['0:\n1:\n97: 97\n1001: 7 11 13\n', '', 0]);
	expect(await out("factor ' +2' 2305843009213693951")).toEqual([
		'2: 2\n2305843009213693951: 2305843009213693951\n',
		'',
		0
	]);
	expect(await out('factor 18446744073709551617')).toEqual(['18446744073709551617: 274177 67280421310721\n', '', 0]);
	expect(await out('factor', '12 15\n')).toEqual(['12: 2 2 3\n15: 3 5\n', '', 0]);
	expect(await out('factor x 4')).toEqual(['4: 2 2\n', "factor: 'x' is not a valid positive integer\n", 1]);
});

it('shares arrays by reference, assigns to . and reads digits of large bases in bc', async () => {
	const program = 'define f(*a[]) {\n auto i\n for (i = 0; i < 3; ++i) a[i] = i * i\n return 0\n}\nx = f(b[])\nb[2]\n';
	expect(await out('bc', program)).toEqual(['4\n', '', 0]);
	expect(await out('bc', '. = 150\n.\nibase = G\nZ\nF0\n')).toEqual(['150\n35\n240\n', '', 0]);
});

it('finds an awk program of -f in AWKPATH, and joins those of -e', async () => {
	shell.files.mkdir('/workspace/lib');
	shell.write('/workspace/lib/p.awk', new TextEncoder().encode('BEGIN { print "found" }\n'));
	expect(await out("AWKPATH=/workspace/lib gawk -f p.awk -e 'BEGIN { print 2 }'")).toEqual(['found\n2\n', '', 0]);
});
