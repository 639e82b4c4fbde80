import type { Preset } from '#computer/node/instance.ts';
import { node } from '#computer/node/program.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { dirname } from '#computer/abi/paths.ts';
import { importedAsset } from './assets.ts';
import { hoistMocks } from './hoist.ts';
import type { Job } from './job.ts';
import librarySource from './library/library.ts?part';
import type { Library } from './library/library.ts';
import { defineNames, projectNames, viteEnvironment } from './project.ts';
import { TOOLS } from './tool.ts';

/** Runs one job in a separate Node, in which the tool's modules are ours. @returns the exit code */
export function runJob(context: ProcessContext, job: Job): Promise<number> {
	let library: Library | null = null;
	// Evaluated when Node's globals exist: the library keeps the timers it finds.
	const load = () => (library ??= evaluate()).modules;
	const read = (path: string) =>
		context.sync.statOrNull(path) ? new TextDecoder().decode(context.sync.readFile(path)) : null;
	const preset: Preset = {
		modules: TOOLS[job.tool].modules,
		module: (name) => load()[name],
		replacements: {
			hoist: (code, file) => (file.includes('/node_modules/') ? code : hoistMocks(code, file)),
			find: (target, seenBy) => library?.replacement(job.tool, target, seenBy) ?? importedAsset(target, job.root, read),
			isMixed: job.tool === 'jest',
			rename: (files) => projectNames(job, files),
			...(job.tool === 'vitest' ? { meta: { env: viteEnvironment(context.env, read, job.root) } } : {})
		},
		async run({ load: importFile, process, modules }) {
			const save = (value: unknown) =>
				context.sync.writeFile(job.result, new TextEncoder().encode(JSON.stringify(value, withoutCycles())));
			if (job.kind === 'config') return save(await readConfig(await importFile(job.file, job.root)));
			load();
			defineNames(job.settings.define);
			const files = {
				read,
				write(path: string, text: string) {
					context.sync.mkdir(dirname(path), { recursive: true });
					context.sync.writeFile(path, new TextEncoder().encode(text));
				},
				remove: (path: string) => context.sync.remove(path, { force: true })
			};
			const result = await library?.runFile(job, {
				importFile: (path) => importFile(path, job.root),
				files,
				modules,
				env: process.env
			});
			save(result);
			// Servers and timers left running by a test are not waited for.
			process.exit(0);
		}
	};
	return node({ ...context, argv: ['node', '-'] }, preset);
}

function evaluate(): Library {
	const part: unknown = new Function(librarySource)();
	// The part is from this build, typed by the module it was built from.
	return (part as { library: Library }).library;
}

async function readConfig(namespace: unknown): Promise<unknown> {
	const exported: unknown = Reflect.get(Object(namespace), 'default') ?? namespace;
	if (typeof exported !== 'function') return await exported;
	return await (exported as (environment: object) => unknown)({ mode: 'test', command: 'serve' });
}

/** Replacer for `JSON.stringify`: omits references to ancestors. */
function withoutCycles() {
	const above: unknown[] = [];
	return function (this: unknown, _key: string, value: unknown): unknown {
		if (typeof value === 'bigint') return `${value}n`;
		if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
		if (typeof value !== 'object' || value === null) return value;
		while (above.length > 0 && above.at(-1) !== this) above.pop();
		if (above.includes(value)) return undefined;
		above.push(value);
		return value;
	};
}
