import { expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

/** Output of `strings` of binutils 2.40, which few machines have. */
it('finds the strings of binary files, in all encodings and with their places', async () => {
	const shell = new ShellInMemory();
	const run = async (script: string) => {
		const { stdout, stderr } = await shell.run(`{ ${script}; } 2>&1`);
		return stdout.toString('latin1') + stderr.toString();
	};
	await run("printf 'abc\\0abcd\\0\\1hello world\\tx\\n\\0ab' >f; mkdir d");
	expect(await run('strings f; strings -n 3 f; strings -5 f')).toBe(
		'abcd\nhello world\tx\nabc\nabcd\nhello world\tx\nhello world\tx\n'
	);
	expect(await run('strings -tx f; strings -o f; strings -td -n2 f')).toBe(
		'      4 abcd\n      a hello world\tx\n      4 abcd\n     12 hello world\tx\n      0 abc\n      4 abcd\n     10 hello world\tx\n     25 ab\n'
	);
	expect(await run('strings -f f; strings <f; strings -s , f; echo; strings -w f')).toBe(
		'f: abcd\nf: hello world\tx\nabcd\nhello world\tx\nabcd,hello world\tx,\nabcd\nhello world\tx\n\n'
	);
	expect(
		await run("printf 'h\\0e\\0l\\0l\\0o\\0\\0\\0' | strings -el; printf '\\0h\\0e\\0l\\0l\\0o' | strings -eb")
	).toBe('hello\nhello\n');
	expect(await run("printf 'caf\\351s abc\\n' | strings -eS")).toBe('caf\u00e9s abc\n');
	expect(await run('strings -n 0 f; echo $?; strings no; echo $?; strings d; echo $?; strings -n x f')).toBe(
		"strings: invalid minimum string length 0\n1\nstrings: 'no': No such file\n1\nstrings: Warning: 'd' is a directory\n1\nstrings: invalid integer argument x\n"
	);
});
