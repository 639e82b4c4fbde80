import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { brotliBindings } from '#computer/build/brotli-plugin.ts';
import { programParts } from '#computer/build/part-plugin.ts';
import { bundle, nodeAliases } from '#computer/build/program-plugin.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export interface Run {
	stdout: string;
	stderr: string;
	code: number | null;
}

/** Runs a program with our Node and with the machine's own, in the same directory. */
export interface Pair {
	directory: string;
	ours(args: string[], input?: string, env?: Record<string, string>): Run;
	native(args: string[], input?: string): Run;
	write(files: Record<string, string>): void;
}

let bundled: Promise<string> | undefined;

/** Path of the bundled `node` program. Test files that share a worker share it. */
const bundleFile = (): Promise<string> => (bundled ??= buildBundle());

async function buildBundle(): Promise<string> {
	const output = await build({
		configFile: false,
		logLevel: 'error',
		plugins: [brotliBindings(), programParts(bundle, false)],
		resolve: { alias: nodeAliases },
		define: { 'process.env.NODE_DEBUG': 'undefined', 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
		build: {
			write: false,
			target: 'es2023',
			minify: false,
			modulePreload: false,
			rolldownOptions: { input: here('./entry.ts'), output: { format: 'iife', codeSplitting: false } }
		}
	});
	const result = Array.isArray(output) ? output[0] : output;
	if (!result || !('output' in result)) throw new Error('Nothing was built.');
	const file = `${mkdtempSync(path.join(tmpdir(), 'sandbox-bundle-'))}/node.js`;
	writeFileSync(file, result.output[0].code);
	return file;
}

/** Bundles the `node` program; each test file gets its own directory. */
export async function bundledNode(): Promise<Pair> {
	const file = await bundleFile();
	const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-node-'));
	const run = (args: string[], input = '', env: Record<string, string> = {}): Run => {
		const ended = spawnSync(process.execPath, args, {
			cwd: directory,
			input,
			encoding: 'utf8',
			timeout: 30_000,
			killSignal: 'SIGKILL',
			env: { PATH: process.env['PATH'] ?? '', HOME: directory, NODE_NO_WARNINGS: '1', ...env }
		});
		return { stdout: ended.stdout, stderr: ended.stderr, code: ended.status };
	};
	return {
		directory,
		ours: (args, input, env) => run([here('./host.mjs'), file, ...args], input, env),
		native: (args, input) => run(args, input),
		write: (files) => {
			for (const [name, text] of Object.entries(files)) {
				const target = path.join(directory, name);
				mkdirSync(path.dirname(target), { recursive: true });
				writeFileSync(target, text);
			}
		}
	};
}
