import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { startModelServer } from '#test/model-server/server.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Runs the npm that runs this script, or else the one on the path.
 * @returns its output.
 * @throws Error with its output if it fails
 */
export function npm(cwd: string, ...args: string[]): string {
	const own = process.env['npm_execpath'];
	const [command, ...before] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
	return execFileSync(command ?? 'npm', [...before, ...args], { cwd, stdio: 'pipe', encoding: 'utf8' });
}

/**
 * Uses the installed command `sandglass`: `serve` until the page and the health check answer, then `run` with a model.
 * @throws Error if one of them fails
 */
export async function tryCommand(project: string): Promise<void> {
	const bin = path.join(project, 'node_modules/.bin/sandglass');
	const env = { PATH: process.env.PATH, HOME: project };
	const server = spawn(bin, ['--port', '0'], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
	try {
		const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
		const url = /ready at (\S+)/.exec(line)?.[1];
		if (url === undefined) throw new Error(`sandglass printed ${JSON.stringify(line)}`);
		for (const address of ['/', '/api/health']) {
			const { status } = await fetch(url + address);
			if (status !== 200) throw new Error(`${address} answered ${status}`);
		}
	} finally {
		const closed = once(server, 'close');
		server.kill();
		await closed;
	}
	const model = await startModelServer({ name: 'command', turns: [{ text: 'Done here.' }] });
	try {
		const child = spawn(bin, ['run', 'Say that you are done'], {
			cwd: project,
			env: { ...env, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model.url },
			stdio: ['ignore', 'pipe', 'pipe']
		});
		const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
		if (code !== 0 || output !== 'Done here.\n') throw new Error(`sandglass run: ${code} ${output}\n${errors}`);
	} finally {
		await model.close();
	}
}

/** Builds the library, and the package of it alone. */
export function buildLibrary(): void {
	npm(root, 'run', 'build:library');
}

/**
 * Packs what was built as published to npm.
 * @param what everything with page, server and command, or the library alone
 * @returns the path of the tarball, in `folder`
 */
export function packLibrary(folder: string, what: 'everything' | 'library'): string {
	const place = what === 'library' ? [path.join(root, 'dist/library-package')] : [];
	npm(root, 'pack', ...place, '--ignore-scripts', '--silent', '--pack-destination', folder);
	const [tarball = 'none'] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
	return path.join(folder, tarball);
}

/** Runs the README's example in a project that has the library, with a model that answers `answer`. */
export async function runReadmeExample(project: string, answer: string) {
	const example = /```js\n([\s\S]*?)```/.exec(readFileSync(path.join(root, 'README.md'), 'utf8'))?.[1] ?? '';
	writeFileSync(path.join(project, 'example.mjs'), example);
	const model = await startModelServer({ name: 'package', turns: [{ text: answer }] });
	const child = spawn(process.execPath, ['example.mjs'], {
		cwd: project,
		env: { PATH: process.env.PATH, HOME: project, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: model.url },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const [[code], output, errors] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
	await model.close();
	return { code: Number(code), output, errors };
}

/** A program that uses the types of every entry point, and is rejected if it misuses one. */
export const CONSUMER = `
	import { Session, createAnthropicProfile, type SessionEvent } from 'sandglass';
	import { runAgentLoop } from 'sandglass/agent';
	import { createClient, type Client } from 'sandglass/llm';
	import { createClientFromEnvironment } from 'sandglass/llm/environment';
	import type { ExecutionEnvironment } from 'sandglass/environment';
	import { LocalExecutionEnvironment } from 'sandglass/environment/local';
	import { openLogFile, type LogFile } from 'sandglass/session/file';
	const stored: LogFile = await openLogFile('/tmp/session.jsonl');
	const environment: ExecutionEnvironment = new LocalExecutionEnvironment({ workingDirectory: '/tmp' });
	const client: Client = createClientFromEnvironment();
	const session = new Session({ profile: createAnthropicProfile({ model: 'm' }), environment, client, log: stored.log });
	const types: SessionEvent['type'][] = [];
	for await (const event of session.submit('hi')) types.push(event.type);
	// @ts-expect-error a session needs an environment
	new Session({ client });
	export { runAgentLoop, createClient };
`;
