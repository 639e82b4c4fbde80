import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
/** Each command starts an interpreter; the first one of a page is slow on a busy machine. */
const LIMIT_MS = 170_000;
const run = async (command: string) => {
	const { stdout, stderr, exitCode } = await sandbox.exec(command, { timeoutMs: LIMIT_MS });
	return [stdout, stderr, exitCode];
};

beforeAll(async () => {
	sandbox = await pythonSandbox();
	await sandbox.writeFile('lines', 'one\ntwo\n');
});
afterAll(() => sandbox.cleanup());

/** The same two lines, compressed by the real programs of Debian 12, and the requested level. */
const PACKED = {
	bzip2: 'QlpoOTFBWSZTWacUK3cAAALBgAAQAgGEgCAAIYAMAjj1G4u5IpwoSFOKFbuA',
	xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAHb25lCnR3bwoAUauer1d1cEkAASAIuxnZux+2830BAAAAAARZWg==',
	zstd: 'KLUv/SQIQQAAb25lCnR3bwrmpg5A'
};
const ENDINGS = { bzip2: 'bz2', xz: 'xz', zstd: 'zst' };
const KINDS = ['bzip2', 'xz', 'zstd'] as const;

describe('commands that compress', { timeout: LIMIT_MS }, () => {
	it.each(KINDS)('%s reads what the real program wrote, and writes the same bytes', async (kind) => {
		expect(await run(`base64 -d <<<${PACKED[kind]} | ${kind} -dc`)).toEqual(['one\ntwo\n', '', 0]);
		expect(await run(`${kind} -qc lines | tee once | base64 -w0; cat once once | ${kind} -dc | wc -l`)).toEqual([
			`${PACKED[kind]}4\n`,
			'',
			0
		]);
	});

	it.each(KINDS)('%s works in place, and what fails loses nothing', async (kind) => {
		const packed = `a.tar.${ENDINGS[kind]}`;
		await sandbox.writeFile(`${kind}/a.tar`, 'x'.repeat(70_000));
		const pack = `${kind} -q ${kind === 'zstd' ? '--rm ' : ''}a.tar`;
		expect(await run(`cd ${kind}; touch -d 2020-02-02 a.tar; chmod 640 a.tar; ${pack}; stat -c '%n %a %y' *`)).toEqual([
			`${packed} 640 2020-02-02 00:00:00.000000000 +0000\n`,
			'',
			0
		]);
		const cut = `cut.tar.${ENDINGS[kind]}`;
		const refused = `echo kept >a.tar; ${kind} -d ${packed} || cat a.tar; head -c 20 ${packed} >${cut}; cp a.tar cut.tar; ${kind} -df ${cut} || cat cut.tar; rm cut.tar`;
		const [kept, complaints] = await run(`cd ${kind}; ${refused}`);
		expect(kept).toBe('kept\nkept\n');
		expect(complaints).toMatch(/a\.tar.* exists.*\n.*cut\.tar.*unexpectedly/);
		expect(await run(`cd ${kind}; ${kind} -dkf ${packed}; ls; wc -c <a.tar`)).toEqual([
			`a.tar\n${packed}\ncut.tar.${ENDINGS[kind]}\n70000\n`,
			'',
			0
		]);
	});

	it('has the other names, levels and suffixes', async () => {
		expect(await run('bzip2 -k1 lines && bzcat lines.bz2 && bunzip2 -f lines.bz2')).toEqual(['one\ntwo\n', '', 0]);
		expect(await run('xz -9e -T0 -kS .x lines && xzcat -S .x lines.x; lzma -k lines; unlzma -c lines.lzma')).toEqual([
			'one\ntwo\none\ntwo\n',
			'',
			0
		]);
		expect(await run('zstd -qfo lines lines')).toEqual([
			'',
			'zstd: lines: the output would overwrite the input; name another file\n',
			1
		]);
		expect(await run('zstd -19 --ultra -qo z.zst lines && zstdcat z.zst lines')).toEqual([
			'one\ntwo\none\ntwo\n',
			'',
			0
		]);
	});

	it('says what it cannot do', async () => {
		expect(await run('xz absent; bzip2 absent lines.txt; zstd -q absent')).toEqual([
			'',
			"xz: absent: No such file or directory\nbzip2: Can't open input file absent: No such file or directory.\n" +
				"bzip2: Can't open input file lines.txt: No such file or directory.\n" +
				"zstd: can't stat absent : No such file or directory -- ignored\n",
			1
		]);
		expect(await run('echo no | xz -d; xz --nonsense lines')).toEqual([
			'',
			'xz: (stdin): File format not recognized\nxz: option --nonsense not recognized\n' +
				"Try `xz --help' for more information.\n",
			1
		]);
	});

	it.each([
		['J', 't.tar.xz'],
		['a', 't.tar.zst']
	])('serves tar with -%s, and by the content of %s', async (option, name) => {
		await sandbox.writeFile('tree/b', 'b\n');
		expect(await run(`tar c${option}f ${name} tree && rm -r tree && tar xf ${name} && cat tree/b`)).toEqual([
			'b\n',
			'',
			0
		]);
	});
});
