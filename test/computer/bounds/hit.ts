import { expect } from 'vitest';
import { createWasmEnvironment, type WasmExecutionEnvironment } from '#computer/host/environment.ts';
import { KEPT_OUTPUT } from '#computer/abi/limits.ts';

/** Fills a sandbox with files, uses them in all ways and removes them. @returns duration of each step, in ms */
export async function holdFiles(count: number): Promise<Record<string, number>> {
	const sandbox = createWasmEnvironment();
	await sandbox.writeFile('kept.txt', 'kept');
	const times: Record<string, number> = {};
	const timed = async <Value>(name: string, work: Promise<Value>): Promise<Value> => {
		const from = performance.now();
		const value = await work;
		times[name] = Math.round(performance.now() - from);
		return value;
	};
	const encoder = new TextEncoder();
	const files = async function* () {
		for (let i = 0; i < count; i++) {
			yield { path: `many/${i % 100}/${i}.txt`, mode: 0o644, bytes: encoder.encode(`file ${i}\n`) };
		}
	};
	await timed('load', sandbox.load(files()));
	const listed = await timed('list', sandbox.listDirectory('many', 2));
	const globbed = await timed('glob', sandbox.glob('**/*.txt', 'many'));
	const found = await timed('grep', sandbox.grep(`file ${count - 1}$`, 'many'));
	const counted = await timed('find', sandbox.exec('find many -type f | wc -l'));
	const snapshot = await timed('snapshot', sandbox.snapshot());
	await timed('remove', sandbox.remove('many', { recursive: true }));
	await timed('restore', sandbox.restore(snapshot));
	const restored = await timed('snapshot again', sandbox.snapshot());
	expect(listed.filter(({ kind }) => kind === 'file')).toHaveLength(count);
	expect(globbed).toHaveLength(count);
	expect(found.trim()).toBe(`many/${(count - 1) % 100}/${count - 1}.txt:1:file ${count - 1}`);
	expect(counted.stdout.trim()).toBe(String(count));
	expect(snapshot.entries.size).toBe(count + 1);
	expect(restored.id).toBe(snapshot.id);
	expect(await sandbox.readFile('kept.txt')).toBe('kept');
	await sandbox.cleanup();
	return times;
}

/** A program prints much more than the limit: its result must have the beginning and the end. */
export async function printMuch(sandbox: WasmExecutionEnvironment, megabytes: number): Promise<void> {
	await sandbox.writeFile(
		'print.js',
		`const fs = require('fs');
		const block = Buffer.alloc(1 << 20, '0123456789abcde\\n');
		fs.writeSync(1, 'first\\n');
		for (let i = 0; i < ${megabytes}; i++) fs.writeSync(1, block);
		fs.writeSync(1, 'last\\n');`
	);
	const { stdout, exitCode } = await sandbox.exec('node print.js');
	expect(exitCode).toBe(0);
	expect(stdout.length).toBeLessThan(KEPT_OUTPUT + 1000);
	expect(stdout.startsWith('first\n')).toBe(true);
	expect(stdout.endsWith('last\n')).toBe(true);
	expect(stdout).toMatch(/characters are left out here/);
}
