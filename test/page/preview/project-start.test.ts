import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { ProjectStart } from '#page/preview/project-start.svelte.ts';
import { findStartScript, lacksPackages } from '#page/preview/start-script.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary();
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

const manifest = (content: unknown): Promise<void> =>
	environment.writeFile('package.json', typeof content === 'string' ? content : JSON.stringify(content));

it('finds the script that starts the server, with the package manager of the lock file', async () => {
	expect(await findStartScript(environment)).toBeNull();
	await manifest({ scripts: { start: 'node server.js', dev: 'vite' } });
	expect(await findStartScript(environment)).toEqual({
		command: 'npm run dev',
		script: 'vite',
		install: 'npm install'
	});
	await environment.writeFile('pnpm-lock.yaml', '');
	expect(await findStartScript(environment)).toMatchObject({ command: 'pnpm run dev', install: 'pnpm install' });
});

it.each(['{', '[]', '{"scripts":[]}', '{"scripts":{"dev":1,"start":" "}}', '{"scripts":{"test":"x"}}'])(
	'finds none in %s',
	async (content) => {
		await manifest(content);
		expect(await findStartScript(environment)).toBeNull();
	}
);

it('misses a package that is named and not installed', async () => {
	await manifest({ dependencies: { a: '1' } });
	expect(await lacksPackages(environment)).toBe(true);
	await environment.writeFile('node_modules/a/package.json', '{}');
	expect(await lacksPackages(environment)).toBe(false);
});

it('stays at the step that failed, with the plain output', async () => {
	await manifest({ dependencies: { a: '1' } });
	const starting = new ProjectStart(environment);
	const script = { command: 'exit 0', script: '', install: "printf '\\033[31mno such package\\033[0m\\n'; exit 3" };
	expect(await starting.start(script)).toBeNull();
	expect([starting.step, starting.failure, starting.lastLine]).toEqual(['install', { exitCode: 3 }, 'no such package']);
});

it('fails where the command ends without a port, and stops what is under way', async () => {
	const starting = new ProjectStart(environment);
	expect(await starting.start({ command: 'echo bye', script: '', install: '' })).toBeNull();
	expect([starting.failure, starting.lastLine]).toEqual([{ exitCode: 0 }, 'bye']);
	const run = starting.start({ command: 'echo up; cat', script: '', install: '' });
	await expect.poll(() => starting.step).toBe('wait');
	await starting.stop();
	expect(await run).toBeNull();
	expect([starting.step, starting.failure]).toEqual([null, null]);
});
