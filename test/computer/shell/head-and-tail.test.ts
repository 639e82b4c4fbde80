import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import fc from '#test/fast-check.ts';
import { ShellInMemory } from './in-memory.ts';

/** Command, input and output of GNU coreutils 9.1. */
const ANSWERS: [command: string, input: string, stdout: string][] = [
	['tail -30', '\na\n', '\na\n'],
	['tail -n 2', '\na\n', '\na\n'],
	['tail -n 1', '\n', '\n'],
	['tail -n 2', '\n\n', '\n\n'],
	['tail -n 3', '\n\na', '\n\na'],
	['tail -n 2', 'a\nb', 'a\nb'],
	['tail -n 1', 'a', 'a'],
	['tail -n 5', '', ''],
	['tail -n 0', 'a\n', ''],
	['tail -z -n 2', '\0a\0', '\0a\0'],
	['tail -2c', 'abc', 'bc'],
	['tail +2', 'a\nb\nc\n', 'b\nc\n'],
	['tail +2c', 'abc', 'bc'],
	['head -n -1', '\n', ''],
	['head -n -1', '\na\n', '\n'],
	['head -n -2', '\na\n', ''],
	['head -n -30', '\na\n', ''],
	['head -n -0', '\na\n', '\na\n'],
	['head -n -1', 'a\nb', 'a\n'],
	['head -z -n 2', 'a\0b\0c', 'a\0b\0'],
	['head -z -n -1', '\0a\0', '\0'],
	['head -1k', 'abc', 'abc'],
	['head -c 1KiB', 'abc', 'abc'],
	['head -q -v -n 1', 'a\n', '==> standard input <==\na\n'],
	['head -v -q -n 1', 'a\n', 'a\n'],
	['head -c 1 -n 2', 'a\nb\nc\n', 'a\nb\n'],
	['tail -n 2 -c 1', 'a\nb\nc\n', '\n'],
	['tail -n 1 -- -2', 'a\n', '']
];

const shell = new ShellInMemory();

describe('head and tail', () => {
	it.each(ANSWERS)('%s of %j prints %j', async (command, input, stdout) => {
		expect((await shell.run(command, Buffer.from(input))).stdout.toString()).toBe(stdout);
	});

	it('keep no more of an input than they are asked for, and all of that', async () => {
		const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}\n`);
		const input = Buffer.from(lines.join(''));
		for (const count of [1, 1_000, 250_000]) {
			expect((await shell.run(`tail -n ${count}`, input)).stdout.toString()).toBe(lines.slice(-count).join(''));
			expect((await shell.run(`head -n -${count}`, input)).stdout.toString()).toBe(lines.slice(0, -count).join(''));
		}
	});
});

const NATIVE = ['head', 'tail'].every((name) => existsSync(`/usr/bin/${name}`));
const directory = mkdtempSync(path.join(tmpdir(), 'ends-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/**
 * Bytes that matter to these commands: line ends at the start and end, none at all, NUL, multi-byte characters, invalid
 * UTF-8.
 */
const bytes = fc
	.array(fc.constantFrom('\n', '\n', '\n\n', '\0', 'a', 'word', 'é', '漢字', '🙂', '\r\n', ' '), { maxLength: 12 })
	.chain((parts) =>
		fc.constantFrom(
			Buffer.from(parts.join('')),
			Buffer.concat([Buffer.of(0xff, 0xc3), Buffer.from(parts.join(''))]),
			Buffer.from(parts.join('').repeat(20))
		)
	);
const count = fc.oneof(
	fc.nat(6).map(String),
	fc.constantFrom('30', '1000', '1b', '1K', '2kB', '1MiB', '00', '4294967296')
);
const flags = fc.subarray(['-q', '-v', '-z', '--quiet', '--silent', '--verbose', '--zero-terminated']);
const modernForm = fc
	.tuple(fc.constantFrom('-n ', '-n', '--lines=', '-c ', '-c', '--bytes=', '--lines ', '--by='), count)
	.chain(([option, value]) => fc.constantFrom('', '-', '+').map((sign) => `${option}${sign}${value}`));
const call = fc.oneof(
	fc
		.tuple(fc.constantFrom('head', 'tail'), fc.array(modernForm, { maxLength: 1 }), flags)
		.map(([name, amounts, others]) => [name, ...others, ...amounts].join(' ')),
	fc.tuple(fc.nat(6), fc.constantFrom('', 'c', 'l', 'k', 'q', 'cv', 'z')).map(([n, form]) => `head -${n}${form}`),
	fc
		.tuple(fc.constantFrom('-', '+'), fc.nat(6), fc.constantFrom('', 'c', 'l', 'b'))
		.map(([sign, n, form]) => `tail ${sign}${n}${form}`)
);

describe.runIf(NATIVE)("beside the machine's own head and tail", () => {
	it('print the same bytes for any options and any input', { timeout: 240_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(
				call,
				bytes,
				fc.array(bytes, { maxLength: 2 }),
				fc.constantFrom(1, 7, 65_536),
				async (options, input, contents, mostPerRead) => {
					const ours = new ShellInMemory(mostPerRead);
					// GNU's tail accepts its traditional form with at most one file; ours is less strict.
					const files = /^tail [-+]\d/.test(options) ? contents.slice(0, 1) : contents;
					for (const [index, content] of files.entries()) {
						writeFileSync(path.join(directory, `f${index}`), content);
						ours.write(`/workspace/f${index}`, content);
					}
					const command = [options, ...files.map((_, index) => `f${index}`)].join(' ');
					const native = spawnSync('/bin/bash', ['--norc', '-c', `/usr/bin/${command}`], {
						cwd: directory,
						input,
						env: { LC_ALL: 'C' }
					});
					const { stdout, code } = await ours.run(command, input);
					expect([stdout.toString('latin1'), code], command).toEqual([native.stdout.toString('latin1'), native.status]);
				}
			),
			{ numRuns: 300 }
		);
	});
});
