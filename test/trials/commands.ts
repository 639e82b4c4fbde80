import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserCommand } from 'vitest/node';
import { z } from 'zod';
import { nativeEnvironment } from '#test/soak/native-environment.ts';
import { FIGURES_VARIABLE } from './figures-file.ts';
import { findingsOf, type Findings } from './findings.ts';
import type { Repository } from './task.ts';

const run = promisify(execFile);
const NATIVE_LIMIT_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const withVersion = z.object({ version: z.string() });

/** Files of the repository at its first commit, by path. */
const trialFiles: BrowserCommand<[Repository]> = async (_context, repository) => {
	const scratch = await mkdtemp(path.join(tmpdir(), 'sandglass-trial-'));
	try {
		const published = await publishedIn(repository, scratch);
		const files = await textsBelow(path.join(published, repository.below ?? ''));
		for (const name of Object.keys(files)) {
			const isLeftOut = repository.without?.some((prefix) => name.startsWith(prefix)) ?? false;
			if (isLeftOut || name.startsWith('node_modules/')) delete files[name];
		}
		Object.assign(files, repository.files);
		for (const { path: name, from, to } of repository.replace ?? []) {
			const text = files[name];
			if (text === undefined || text.split(from).length !== 2) throw new Error(`${name} has not once: ${from}`);
			files[name] = text.replace(from, () => to);
		}
		return files;
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
};

/** Directory of the package: our own dependency if it has the same version, otherwise from the registry. */
async function publishedIn({ package: name, version }: Repository, scratch: string): Promise<string> {
	const own = path.resolve('node_modules', name);
	if (existsSync(path.join(own, 'package.json'))) {
		const installed = withVersion.parse(JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8')));
		if (installed.version === version) return own;
	}
	const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], {
		cwd: scratch,
		env: nativeEnvironment()
	});
	await run('tar', ['xzf', stdout.trim()], { cwd: scratch, env: nativeEnvironment() });
	return path.join(scratch, 'package');
}

async function textsBelow(directory: string): Promise<Record<string, string>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true });
	const files: Record<string, string> = {};
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const file = path.join(entry.parentPath, entry.name);
		files[path.relative(directory, file)] = await readFile(file, 'utf8');
	}
	return files;
}

/** Findings of the commands on a tree, run on this machine. */
const nativeFindings: BrowserCommand<[Record<string, string>, string[], boolean]> = async (
	_context,
	files,
	commands,
	installs
) => {
	const directory = await mkdtemp(path.join(tmpdir(), 'sandglass-native-'));
	try {
		for (const [name, text] of Object.entries(files)) {
			const file = path.join(directory, name);
			await mkdir(path.dirname(file), { recursive: true });
			await writeFile(file, text);
		}
		if (installs)
			await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
				cwd: directory,
				env: nativeEnvironment()
			});
		const found: Findings[] = [];
		for (const command of commands) found.push(await judged(command, directory));
		return found;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
};

const exited = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

async function judged(command: string, cwd: string): Promise<Findings> {
	// Vitest sets variables for its child processes, which would affect a nested vitest.
	const options = { cwd, env: nativeEnvironment(), timeout: NATIVE_LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES };
	try {
		const { stdout, stderr } = await run('bash', ['-c', command], options);
		return findingsOf(`${stdout}\n${stderr}`, 0);
	} catch (error) {
		const { code, stdout, stderr } = exited.parse(error);
		return findingsOf(`${stdout}\n${stderr}`, code);
	}
}

const REGISTRY = 'https://registry.npmjs.org/';
let relay: Promise<string> | undefined;

/** Address of an npm registry relay for pages, because the registry itself does not allow pages to read it. */
const startRegistryRelay: BrowserCommand<[]> = () => (relay ??= listen());

async function listen(): Promise<string> {
	const server = createServer((request, response) => {
		response.setHeader('access-control-allow-origin', '*');
		response.setHeader('cross-origin-resource-policy', 'cross-origin');
		const address = REGISTRY + (request.url ?? '/').slice(1);
		answer(address, request.headers.accept, response).catch((error: unknown) =>
			response.destroy(new Error(String(error)))
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	server.unref();
	const { port } = server.address() as AddressInfo;
	return `http://127.0.0.1:${port}/`;
}

async function answer(address: string, accept: string | undefined, response: ServerResponse): Promise<void> {
	const found = await fetch(address, { headers: accept === undefined ? {} : { accept } });
	const type = found.headers.get('content-type') ?? 'application/octet-stream';
	response.writeHead(found.status, { 'content-type': type });
	response.end(new Uint8Array(await found.arrayBuffer()));
}

/** Appends figures to the benchmark's file, if the benchmark runs the trials. */
const noteFigures: BrowserCommand<[unknown]> = async (_context, figures) => {
	const file = process.env[FIGURES_VARIABLE];
	if (file !== undefined) await appendFile(file, `${JSON.stringify(figures)}\n`);
};

/** Commands of the page that runs the trials. */
export const trialCommands = { trialFiles, nativeFindings, startRegistryRelay, noteFigures };

declare module 'vitest/browser' {
	interface BrowserCommands {
		trialFiles: (repository: Repository) => Promise<Record<string, string>>;
		nativeFindings: (files: Record<string, string>, commands: string[], installs: boolean) => Promise<Findings[]>;
		startRegistryRelay: () => Promise<string>;
		noteFigures: (figures: unknown) => Promise<void>;
	}
}
