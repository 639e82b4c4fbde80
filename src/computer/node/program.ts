import path from 'path';
import type { ProcessContext } from '#computer/process/program.ts';
import { fileUrl } from './loader/files.ts';
import { isCompiledByTool, Module } from './loader/commonjs.ts';
import { evaluate } from './loader/evaluate.ts';
import { moduleAccess } from './loader/module-access.ts';
import { hasModuleSyntax, prepareCommonJs, toJavaScript } from './loader/transform.ts';
import { addEnv } from './modules/util/parse-env.ts';
import { flagsOf, parseOptions, UsageError, type NodeOptions } from './options.ts';
import { checkSyntax } from './check.ts';
import { HELP } from './help.ts';
import { whyImpossible } from './impossible.ts';
import { prepareNext } from './next-compiler.ts';
import { replacedTool, runReplacement } from './replaced-tools.ts';
import { absolute } from '#computer/abi/paths.ts';
import { NODE_VERSION } from '#computer/abi/versions.ts';
import type { Runtime } from './runtime/runtime.ts';
import { threadStart, type ThreadStart } from './threads/thread.ts';
import { startRepl } from './repl.ts';
import { defineScriptGlobals } from './script-globals.ts';
import { CHILD_VARIABLE } from './testing/events.ts';
import { runTestFiles } from './testing/files.ts';
import { runWatched } from './watch.ts';
import { createNodeInstance, type NodeInstance, type Preset } from './instance.ts';

/** Programs pass the flag on to their children, so it does not prevent them from running. */
const NO_INSPECTOR = 'node: there is no inspector in a browser tab: the program runs without one.\n';
const NO_COVERAGE =
	'node: NODE_V8_COVERAGE counts nothing in a browser tab: the figures of c8 are 0 whatever the tests cover.\n';
const NO_TEST_COVERAGE =
	'node: --experimental-test-coverage counts nothing in a browser tab: the tests run without coverage.\n';
/** Set for the children of a program that has printed {@link NO_COVERAGE}: their output may be what is tested. */
const COVERAGE_NOTICED = 'SANDGLASS_COVERAGE_NOTICED';

/** The program `node`. @returns the exit code, when nothing keeps the program alive any more */
export async function node(context: ProcessContext, preset?: Preset): Promise<number> {
	let options: NodeOptions;
	try {
		options = parseOptions(context.argv.slice(1), flagsOf(context.env['NODE_OPTIONS']));
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		return refuse(context, error.message);
	}
	if (options.action === 'version' || options.action === 'help') {
		context.sync.write(1, new TextEncoder().encode(options.action === 'help' ? HELP : `${NODE_VERSION}\n`));
		return 0;
	}
	const refused = preset ? null : preparedTool(context, options);
	if (refused !== null) {
		context.sync.write(2, new TextEncoder().encode(`${refused}\n`));
		return 1;
	}
	const instead = preset ? null : otherProgram(context, options);
	if (instead !== null) return runReplacement(context, instead);
	if (options.watch) {
		const program = options.file === null ? options.rest : [options.file, ...options.rest];
		return runWatched(context, {
			args: [...options.execArgv, ...program],
			shown: program.join(' '),
			files: [options.file ?? '', ...options.envFiles.map(({ path }) => path)].map((path) =>
				absolute(path, context.cwd)
			),
			paths: options.watchPaths.map((path) => absolute(path, context.cwd)),
			watchesAll: options.action === 'test'
		});
	}
	const missing = options.envFiles.find(({ path: file, optional }) => !loadEnvFile(context, file) && !optional);
	if (missing) return refuse(context, `${missing.path}: not found`);
	if (options.execArgv.some((flag) => /^--inspect(-brk|-wait)?(=|$)/.test(flag))) {
		context.sync.write(2, new TextEncoder().encode(NO_INSPECTOR));
	}
	if (options.action !== 'thread') noticeCoverage(context);
	if (options.execArgv.includes('--experimental-test-coverage') && !context.env[CHILD_VARIABLE]) {
		context.sync.write(2, new TextEncoder().encode(NO_TEST_COVERAGE));
	}
	const instance = createNodeInstance(context, options, preset);
	const thread = options.action === 'thread' ? await threadStart(context.channel ?? null) : null;
	return new Promise((resolve) => {
		instance.end = resolve;
		instance.runtime.loop.enter(() => {
			if (preset) runPreset(instance, preset);
			else if (thread) startThread(instance, thread, options);
			else start(instance, options);
		});
		instance.runtime.loop.start();
	});
}

/** Command line to run instead of a program. Only tools below a `node_modules` are checked. */
function otherProgram(context: ProcessContext, { action, file, rest, execArgv }: NodeOptions): string[] | null {
	if (action === 'script') return ['/usr/bin/npm', 'run', '--silent', ...rest];
	if (action !== 'file' || !file?.includes('node_modules/')) return null;
	const target = path.resolve(context.cwd, file);
	return context.sync.statOrNull(target) ? replacedTool(context, context.sync.realpath(target), rest, execArgv) : null;
}

/** Prepares a tool if necessary. @returns why a tool that needs a real machine does not start */
function preparedTool(context: ProcessContext, options: NodeOptions): string | null {
	const { action, file, rest } = options;
	const { sync, cwd } = context;
	if (action !== 'file' || !file?.includes('node_modules/')) return null;
	const target = path.resolve(cwd, file);
	if (!sync.statOrNull(target)) return null;
	const entry = sync.realpath(target);
	const reason = whyImpossible(entry);
	if (reason !== null) return reason;
	const start = prepareNext(context, entry, rest);
	if ('refusal' in start) return start.refusal;
	options.rest = start.args;
	return null;
}

/** @returns whether the file exists */
function loadEnvFile({ sync, cwd, env }: ProcessContext, file: string): boolean {
	const target = path.resolve(cwd, file);
	if (sync.statOrNull(target)?.kind !== 'file') return false;
	addEnv(env, sync.readFile(target));
	return true;
}

/** Notes, once for a program and its children, that `NODE_V8_COVERAGE`, which c8 sets, has no effect. */
function noticeCoverage({ sync, env }: ProcessContext): void {
	if (!env['NODE_V8_COVERAGE'] || env[COVERAGE_NOTICED]) return;
	sync.write(2, new TextEncoder().encode(NO_COVERAGE));
	env[COVERAGE_NOTICED] = '1';
}

/** Reports a usage error of `node`. @returns its exit code */
function refuse({ sync }: ProcessContext, message: string): number {
	sync.write(2, new TextEncoder().encode(`node: ${message}\n`));
	return 9;
}

/** Starts a thread of another program: its file or code, with a port to that program. */
function startThread(instance: NodeInstance, thread: ThreadStart, options: NodeOptions): void {
	const { runtime } = instance;
	const { process } = runtime;
	runtime.thread = thread;
	runtime.broadcasts.link(thread.broadcasts);
	process.execArgv = thread.execArgv;
	Object.defineProperty(process, 'pid', { value: thread.pid });
	// The flags of NODE_OPTIONS are in the thread's own options, those of the command line in its start data.
	const preload = startPreloading(instance, [...options.preload, ...parseOptions(thread.execArgv).preload]);
	const run = (start: () => Promise<unknown> | void): void =>
		follow(instance, Promise.all(preload), preload.length > 0, start);
	if (thread.code !== null) {
		const code = thread.code;
		process.argv = [process.execPath, thread.file, ...thread.argv];
		run(() => runText(instance, code, thread.file, options));
	} else if (thread.file.startsWith('data:')) {
		run(() => instance.host.esm.import(thread.file, `${process.cwd()}/`));
	} else {
		process.argv = [process.execPath, thread.file, ...thread.argv];
		run(() => runMain(instance, thread.file));
	}
}

/**
 * Runs modules of `--require` synchronously and starts those of `--import`. Returns a promise for what the program has
 * to wait for.
 */
function startPreloading({ runtime, host }: NodeInstance, preload: NodeOptions['preload']): Promise<unknown>[] {
	const here = `${runtime.process.cwd()}/[eval]`;
	return preload.flatMap(({ kind, specifier }) => {
		if (kind === 'import') return [host.esm.import(specifier, here)];
		Module._preloadModules([specifier]);
		return [];
	});
}

function runPreset(instance: NodeInstance, preset: Preset): void {
	const { runtime, host } = instance;
	const load = (specifier: string, directory: string) => host.esm.import(specifier, `${directory}/[preset]`);
	follow(instance, Promise.resolve(), true, () =>
		preset.run({ load, process: runtime.process, modules: moduleAccess(host) })
	);
}

function start(instance: NodeInstance, options: NodeOptions): void {
	const { runtime, host } = instance;
	const { process } = runtime;
	// Preloaded modules may read the program's arguments.
	if (options.action === 'file')
		process.argv = [process.execPath, path.resolve(process.cwd(), options.file ?? ''), ...options.rest];
	const preload = startPreloading(instance, options.preload);
	switch (options.action) {
		case 'file': {
			return follow(instance, Promise.all(preload), preload.length > 0, () => runMain(instance, options.file ?? ''));
		}
		case 'check':
			return checkSyntax(host.files, mainFile(instance, options.file ?? ''));
		case 'test':
			process.argv = [process.execPath, ...options.rest];
			return follow(instance, Promise.resolve(), true, async () => {
				process.exitCode = await runTestFiles(runtime, options.rest, options.test);
			});
		case 'eval':
			process.argv = [process.execPath, ...options.rest];
			return runText(instance, options.code, '[eval]', options);
		case 'repl':
			if (runtime.sys.isTerminal(0) || options.flags.some((flag) => /^(-i|--interactive)$/.test(flag))) {
				process.argv = [process.execPath, ...options.rest];
				return startRepl(instance);
			}
			return runText(instance, readStdin(runtime), '[stdin]', options);
		case 'stdin':
			process.argv = [process.execPath, '-', ...options.rest];
			return runText(instance, readStdin(runtime), '[stdin]', options);
		default:
			return;
	}
}

/** Starts the program once the preloaded modules have run. */
function follow(
	instance: NodeInstance,
	ready: Promise<unknown>,
	wait: boolean,
	run: () => Promise<unknown> | void
): void {
	const { loop } = instance.runtime;
	const started = wait ? loop.holdWhile(ready.then(run)) : run();
	if (!started) return;
	instance.unsettled = true;
	started.then(
		() => void (instance.unsettled = false),
		(error: unknown) => loop.onUncaught(error)
	);
}

function mainFile(instance: NodeInstance, file: string): string {
	const target = path.resolve(instance.runtime.process.cwd(), file);
	return Module._resolveFilename(target, null);
}

const ownRunMain = Module.runMain;

function runMain(instance: NodeInstance, file: string): Promise<void> | void {
	const { esm, files, hooks } = instance.host;
	const filename = mainFile(instance, file);
	instance.runtime.process.argv[1] = filename;
	// A preloaded package such as `esm` may have replaced it, to load the program in its own way.
	if (Module.runMain !== ownRunMain) return Module.runMain();
	const isCommonJs = filename.endsWith('.json') || isCompiledByTool(files, filename);
	if (isCommonJs || !esm.isEsModule(filename, files.read(filename))) {
		Module._load(filename, null, true);
		return;
	}
	esm.mainFile = filename;
	if (hooks.load) return esm.import(fileUrl(filename), filename).then(() => undefined);
	const linked = esm.link(filename, '');
	// As in Node, a module is run by a promise: promises it creates run before its ticks.
	return instance.runtime.loop.holdWhile(Promise.resolve()).then(() => esm.evaluate(linked) ?? undefined);
}

/** Runs `-e`, `-p` or a script on stdin: as a script in the global scope, or as a module if it is written as one. */
function runText(instance: NodeInstance, text: string, name: string, options: NodeOptions): void {
	const { runtime, host } = instance;
	const file = `${runtime.process.cwd()}/${name}`;
	const script = toJavaScript(text, options.typescript ? `${file}.ts` : file);
	if (options.module || (!options.print && hasModuleSyntax(script))) {
		host.esm.mainFile = file;
		return follow(
			instance,
			Promise.resolve(),
			false,
			() => host.esm.evaluate(host.esm.link(file, '1', script)) ?? undefined
		);
	}
	defineScriptGlobals(instance, name);
	const code = prepareCommonJs(script);
	const result = evaluate(code, name);
	if (options.print) console.log(result);
}

function readStdin(runtime: Runtime): string {
	const parts: string[] = [];
	const decoder = new TextDecoder();
	for (;;) {
		const bytes = runtime.sys.read(0, 65_536);
		if (bytes.length === 0) return parts.join('') + decoder.decode();
		parts.push(decoder.decode(bytes, { stream: true }));
	}
}
