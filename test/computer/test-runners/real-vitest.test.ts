import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { expected, files } from './mock-project.ts';

const reportShape = z.object({
	testResults: z.array(
		z.object({ name: z.string(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })
	)
});

it('holds the project whose modules are replaced to what real vitest says of it', { timeout: 60_000 }, async () => {
	const root = path.resolve(import.meta.dirname, '../../..');
	await mkdir(path.join(root, '.cache'), { recursive: true });
	// Below the project, so that the tests find vitest.
	const directory = await mkdtemp(path.join(root, '.cache/mocks-'));
	try {
		for (const [name, text] of Object.entries(files)) {
			await mkdir(path.dirname(path.join(directory, name)), { recursive: true });
			await writeFile(path.join(directory, name), text);
		}
		const tool = path.join(root, 'node_modules/vitest/vitest.mjs');
		const args = [tool, 'run', '--reporter=json', '--outputFile=report.json'];
		const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
		// Exits with 1: one file cannot be run.
		await new Promise((resolve) => execFile(process.execPath, args, { cwd: directory, env }, resolve));
		const report = reportShape.parse(JSON.parse(await readFile(path.join(directory, 'report.json'), 'utf8')));
		const found = report.testResults.map(({ name, assertionResults }) => [
			path.relative(directory, name),
			Object.fromEntries(assertionResults.map(({ fullName, status }) => [fullName, status]))
		]);
		expect(Object.fromEntries(found)).toEqual(expected);
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
});
