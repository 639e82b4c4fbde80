import type { Preset } from '#computer/node/instance.ts';
import { node } from '#computer/node/program.ts';
import { dirname } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { importedAsset } from '../assets.ts';
import type { Host } from './host.ts';
import librarySource from './library.ts?part';
import type { PlaywrightLibrary } from './library.ts';

/** Names under which projects import Playwright's tests. */
const MODULES = ['@playwright/test', 'playwright/test', 'playwright', 'playwright-core'];

/** The program `playwright`: a Node whose `@playwright/test` drives the preview. @returns the exit code */
export function runPlaywright(context: ProcessContext): Promise<number> {
	let library: PlaywrightLibrary | null = null;
	// Evaluated when Node's globals exist: it keeps the timers it finds.
	const load = (): PlaywrightLibrary => (library ??= evaluate());
	const read = (path: string): string | null => {
		const bytes = readFile(context, path);
		return bytes && new TextDecoder().decode(bytes);
	};
	const preset: Preset = {
		modules: MODULES,
		module: () => load().module(),
		replacements: {
			hoist: (code) => code,
			find: (target) => (target.includes('/node_modules/') ? undefined : importedAsset(target, context.cwd, read))
		},
		async run({ load: importFile, process }) {
			const host = createHost(context, (path) => importFile(path, context.cwd));
			process.exit(await load().run(context.argv.slice(1), host));
		}
	};
	return node({ ...context, argv: ['node', '-'] }, preset);
}

function evaluate(): PlaywrightLibrary {
	const part: unknown = new Function(librarySource)();
	// The part is from this build, typed by the module it was built from.
	return (part as { library: PlaywrightLibrary }).library;
}

function readFile({ sync }: ProcessContext, path: string): Uint8Array<ArrayBuffer> | null {
	if (sync.statOrNull(path)?.kind !== 'file') return null;
	return new Uint8Array(sync.readFile(path));
}

function createHost(context: ProcessContext, importFile: (path: string) => Promise<unknown>): Host {
	const { sync, async, env, cwd } = context;
	const encoder = new TextEncoder();
	const at = (path: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`);
	return {
		importFile,
		preview: (request) => async.preview(request),
		read: (path) => readFile(context, at(path)),
		write(path, content) {
			sync.mkdir(dirname(at(path)), { recursive: true });
			sync.writeFile(at(path), typeof content === 'string' ? encoder.encode(content) : content);
		},
		removeFolder: (path) => sync.remove(path, { recursive: true, force: true }),
		filesBelow(folder) {
			if (!sync.statOrNull(folder)) return [];
			const entries = sync.walk(folder, { skip: ['node_modules', '.git'] });
			return entries.filter(({ stat }) => stat.kind === 'file').map(({ path }) => path);
		},
		print: (text) => void sync.write(1, encoder.encode(text)),
		start(command, { cwd: folder, env: given }) {
			const pid = sync.spawn({
				argv: ['/usr/bin/bash', '-c', command],
				cwd: folder,
				env: given,
				stdin: 'null',
				stdout: 'null',
				group: 0
			});
			let isOver = false;
			const exited = async.waitPid(pid).then(({ code }) => ((isOver = true), code));
			return {
				exited,
				kill() {
					if (!isOver) sync.kill(-pid, 'SIGTERM');
				}
			};
		},
		isListening: (port) => sync.ports().some((each) => each.port === port),
		env,
		cwd,
		isTerminal: sync.isTerminal(1)
	};
}
