import path from 'path';
import type { ProcessContext } from '../process/program.ts';
import { Module, type CommonJsHost } from './loader/commonjs.ts';
import { AsyncContext, defineAwaitHelpers } from './loader/async-context.ts';
import { EsModules } from './loader/esm.ts';
import { evaluate } from './loader/evaluate.ts';
import { LoaderFiles } from './loader/files.ts';
import { moduleAccess } from './loader/module-access.ts';
import type { ModuleAccess, Replacements } from './loader/replacements.ts';
import { Resolver } from './loader/resolve.ts';
import { hasModuleSyntax, prepareCommonJs, toJavaScript, IMPORT } from './loader/transform.ts';
import { builtinModules, isBuiltin, isPrefixedBuiltin } from './modules/builtins.ts';
import { followSteps, resume, wait } from './modules/async-hooks.ts';
import { consoleMethods } from './modules/console.ts';
import { createFetch } from './modules/fetch.ts';
import { useLoop } from './modules/stream.ts';
import { parseOptions, UsageError, type NodeOptions } from './options.ts';
import { checkSyntax } from './check.ts';
import { HELP } from './help.ts';
import { EventLoop } from './runtime/event-loop.ts';
import { installGlobals } from './runtime/globals.ts';
import { openParentChannel } from './runtime/parent-channel.ts';
import { replacedTool, runReplacement } from './replaced-tools.ts';
import { NODE_VERSION, NodeProcess, ProcessExit } from './runtime/process.ts';
import type { Runtime } from './runtime/runtime.ts';
import { installStackTraces } from './runtime/stack.ts';
import { inputStream, outputStream } from './runtime/stdio.ts';
import { Timers } from './runtime/timers.ts';
import { describeUncaught } from './runtime/uncaught.ts';
import { threadFailure, threadStart, type ThreadStart } from './threads/thread.ts';
import { runTestFiles } from './testing/files.ts';

/** The program behind `node`. @returns the exit code, when nothing keeps the program alive any more */
export async function node(context: ProcessContext, preset?: Preset): Promise<number> {
	let options: NodeOptions;
	try {
		options = parseOptions(context.argv.slice(1));
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		context.sync.write(2, new TextEncoder().encode(`node: ${error.message}\n`));
		return 9;
	}
	if (options.action === 'version' || options.action === 'help') {
		context.sync.write(1, new TextEncoder().encode(options.action === 'help' ? HELP : `${NODE_VERSION}\n`));
		return 0;
	}
	const replaced = options.action === 'file' && !preset ? findReplaced(context, options.file ?? '') : null;
	if (replaced !== null) return runReplacement(context, replaced, options.rest);
	const machine = createMachine(context, options, preset);
	const thread = options.action === 'thread' ? await threadStart(context.channel ?? null) : null;
	return new Promise((resolve) => {
		machine.end = resolve;
		machine.runtime.loop.enter(() => {
			if (preset) runPreset(machine, preset);
			else if (thread) startThread(machine, thread, options);
			else start(machine, options);
		});
		machine.runtime.loop.start();
	});
}

/** Most files are no tool's: only one below a `node_modules` is looked at. */
function findReplaced(context: ProcessContext, file: string): string | null {
	if (!file.includes('node_modules/')) return null;
	const target = path.resolve(context.cwd, file);
	return context.sync.statOrNull(target) ? replacedTool(context, context.sync.realpath(target)) : null;
}

/** A program that is a Node of its own: with modules beside Node's, and one task in place of a file. */
export interface Preset {
	/** Names that `module` answers, wherever they are imported. */
	modules: readonly string[];
	module(name: string): unknown;
	/** Modules that others stand in place of. */
	replacements?: Replacements;
	run(machine: {
		modules: ModuleAccess;
		/** `import()` of a path or a package, as seen from a directory. */
		load(specifier: string, directory: string): Promise<unknown>;
		process: NodeProcess;
	}): Promise<void>;
}

interface Machine {
	runtime: Runtime;
	host: CommonJsHost;
	/** The main module is an ES module that has not come to its end. */
	unsettled: boolean;
	end(code: number): void;
}

function createMachine(context: ProcessContext, options: NodeOptions, preset?: Preset): Machine {
	const loop = new EventLoop();
	const timers = new Timers(loop);
	const process = new NodeProcess(context, loop);
	const runtime: Runtime = {
		context,
		sys: context.sync,
		async: context.async,
		loop,
		timers,
		process,
		channels: new Map(),
		thread: null,
		resolvePath: (given) => path.resolve(process.cwd(), given),
		fatal: (error) => fatal(error)
	};
	context.onChannel?.((pid, port) => {
		const wanted = runtime.channels.get(pid);
		runtime.channels.delete(pid);
		if (wanted) wanted(port);
		else port.close();
	});
	useLoop(loop);
	installStackTraces();
	lazyStreams(runtime);
	const own = builtinModules(runtime);
	const given = (name: string) => preset?.modules.includes(name) === true;
	const builtin = (name: string) => (preset && given(name) ? preset.module(name) : own(name));
	const files = new LoaderFiles(context);
	const resolver = new Resolver(
		files,
		(name) => given(name) || isBuiltin(name),
		(name) => given(name) || isPrefixedBuiltin(name)
	);
	const asyncContext = new AsyncContext(files);
	defineAwaitHelpers({ wait, resume, follow: followSteps });
	const replacements = preset?.replacements;
	const hold = <Result>(promise: Promise<Result>) => loop.holdWhile(promise);
	const esm = new EsModules({ files, resolver, builtin, asyncContext, replacements, hold });
	const host: CommonJsHost = { resolver, files, esm, builtin, asyncContext, replacements, main: undefined };
	Module.host = host;
	Module._initPaths(context.env);
	process.execArgv = options.execArgv;
	const machine: Machine = { runtime, host, unsettled: false, end: () => {} };

	const fatal = (error: unknown): void => {
		const tell = runtime.thread && threadFailure(context.channel ?? null);
		if (error instanceof ProcessExit) return;
		if (process.listenerCount('uncaughtException') > 0) {
			loop.enter(() => process.emit('uncaughtException', error, 'uncaughtException'));
			return;
		}
		const read = (file: string) => (file.startsWith('/') && files.isFile(file) ? files.read(file) : null);
		if (tell) tell(error);
		else context.sync.write(2, new TextEncoder().encode(describeUncaught(error, read)));
		process.exitCode = 1;
		try {
			process.exit(1);
		} catch {
			machine.end(1);
		}
	};
	Object.assign(runtime, {
		fatal: (error: unknown) => {
			process.removeAllListeners('uncaughtException');
			fatal(error);
		}
	});
	loop.onUncaught = fatal;
	loop.onIdle = () => {
		loop.enter(() => process.emit('beforeExit', process.exitCode ?? 0));
		loop.post(() => {
			if (loop.references > 0) return;
			if (machine.unsettled && process.exitCode === undefined) {
				process.stderr.write('Warning: Detected unsettled top-level await\n');
				process.exitCode = 13;
			}
			loop.enter(() => process.emitExit());
			machine.end((process.exitCode ?? 0) & 255);
		});
	};
	if (options.action !== 'thread') openParentChannel(runtime);
	watchGlobalErrors(runtime, fatal);
	installGlobals(runtime, {
		console: consoleMethods(
			() => process.stdout,
			() => process.stderr
		),
		fetch: createFetch(runtime)
	});
	return machine;
}

/** Made when first touched: most programs never read stdin. */
function lazyStreams(runtime: Runtime): void {
	const make = {
		stdin: () => inputStream(runtime),
		stdout: () => outputStream(runtime, 1),
		stderr: () => outputStream(runtime, 2)
	};
	for (const [name, create] of Object.entries(make)) {
		let made: unknown;
		Object.defineProperty(runtime.process, name, {
			get: () => (made ??= create()),
			configurable: true,
			enumerable: true
		});
	}
}

function watchGlobalErrors(runtime: Runtime, fatal: (error: unknown) => void): void {
	const { process, loop } = runtime;
	addEventListener('error', (event) => {
		event.preventDefault();
		fatal(event.error);
	});
	addEventListener('unhandledrejection', (event) => {
		event.preventDefault();
		const { reason, promise } = event as PromiseRejectionEvent;
		if (reason instanceof ProcessExit) return;
		if (process.listenerCount('unhandledRejection') > 0) {
			loop.enter(() => process.emit('unhandledRejection', reason, promise));
		} else fatal(rejection(reason));
	});
}

function rejection(reason: unknown): unknown {
	if (reason instanceof Error) return reason;
	const words = `This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "${String(reason)}".`;
	const error = Object.assign(new Error(words), { name: 'UnhandledPromiseRejection', code: 'ERR_UNHANDLED_REJECTION' });
	Object.defineProperty(error, 'stack', { value: `${error.name}: ${words}`, configurable: true });
	Object.defineProperty(error, 'name', { enumerable: false });
	return error;
}

/** A thread of another program: the file or text it was given, with a port to that program. */
function startThread(machine: Machine, thread: ThreadStart, options: NodeOptions): void {
	const { runtime } = machine;
	const { process } = runtime;
	runtime.thread = thread;
	process.execArgv = thread.execArgv;
	Object.defineProperty(process, 'pid', { value: thread.pid });
	if (thread.code !== null) {
		process.argv = [process.execPath, thread.file, ...thread.argv];
		runText(machine, thread.code, thread.file, options);
	} else if (thread.file.startsWith('data:')) {
		follow(machine, Promise.resolve(), false, () => machine.host.esm.import(thread.file, `${process.cwd()}/`));
	} else {
		process.argv = [process.execPath, thread.file, ...thread.argv];
		follow(machine, Promise.resolve(), false, () => runMain(machine, thread.file));
	}
}

function runPreset(machine: Machine, preset: Preset): void {
	const { runtime, host } = machine;
	const load = (specifier: string, directory: string) => host.esm.import(specifier, `${directory}/[preset]`);
	follow(machine, Promise.resolve(), true, () =>
		preset.run({ load, process: runtime.process, modules: moduleAccess(host) })
	);
}

function start(machine: Machine, options: NodeOptions): void {
	const { runtime, host } = machine;
	const { process } = runtime;
	const here = `${process.cwd()}/[eval]`;
	const preload = options.preload.map(({ kind, specifier }) =>
		kind === 'require' ? void Module._load(specifier, anchored(here)) : host.esm.import(specifier, here)
	);
	switch (options.action) {
		case 'file': {
			process.argv = [process.execPath, path.resolve(process.cwd(), options.file ?? ''), ...options.rest];
			return follow(machine, Promise.all(preload.filter(Boolean)), preload.some(Boolean), () =>
				runMain(machine, options.file ?? '')
			);
		}
		case 'check':
			return checkSyntax(host.files, mainFile(machine, options.file ?? ''));
		case 'test':
			process.argv = [process.execPath, ...options.rest];
			return follow(machine, Promise.resolve(), true, async () => {
				process.exitCode = await runTestFiles(runtime, options.rest, options.test);
			});
		case 'eval':
			process.argv = [process.execPath, ...options.rest];
			return runText(machine, options.code, '[eval]', options);
		case 'repl':
			if (runtime.sys.isTerminal(0)) {
				process.stderr.write("There is no interactive prompt here. Use node -e '…' or write a file and run it.\n");
				process.exitCode = 9;
				return;
			}
			return runText(machine, readStdin(runtime), '[stdin]', options);
		case 'stdin':
			process.argv = [process.execPath, '-', ...options.rest];
			return runText(machine, readStdin(runtime), '[stdin]', options);
		default:
			return;
	}
}

/** Starts the program once the preloaded modules have run. */
function follow(machine: Machine, ready: Promise<unknown>, wait: boolean, run: () => Promise<unknown> | void): void {
	const { loop } = machine.runtime;
	const started = wait ? loop.holdWhile(ready.then(run)) : run();
	if (!started) return;
	machine.unsettled = true;
	started.then(
		() => void (machine.unsettled = false),
		(error: unknown) => loop.onUncaught(error)
	);
}

function mainFile(machine: Machine, file: string): string {
	const target = path.resolve(machine.runtime.process.cwd(), file);
	return Module._resolveFilename(target, null);
}

function runMain(machine: Machine, file: string): Promise<void> | void {
	const { esm, files } = machine.host;
	const filename = mainFile(machine, file);
	machine.runtime.process.argv[1] = filename;
	if (filename.endsWith('.json') || !esm.isEsModule(filename, files.read(filename))) {
		Module._load(filename, null, true);
		return;
	}
	esm.mainFile = filename;
	return esm.evaluate(esm.link(filename, '')) ?? undefined;
}

function anchored(file: string): Module {
	const module = new Module(file);
	module.filename = file;
	module.paths = Module._nodeModulePaths(path.dirname(file));
	return module;
}

/** `-e`, `-p` and a script on stdin: a script in the global scope, or a module when it is written as one. */
function runText(machine: Machine, text: string, name: string, options: NodeOptions): void {
	const { runtime, host } = machine;
	const file = `${runtime.process.cwd()}/${name}`;
	if (options.module || (!options.print && hasModuleSyntax(text))) {
		host.esm.mainFile = file;
		return follow(
			machine,
			Promise.resolve(),
			false,
			() => host.esm.evaluate(host.esm.link(file, '1', text)) ?? undefined
		);
	}
	const module = anchored(file);
	const code = prepareCommonJs(toJavaScript(text, `${file}.ts`.replace(/\.ts$/, '')));
	const globals = {
		require: Object.assign((id: string) => module.require(id), {
			resolve: (id: string) => Module._resolveFilename(id, module),
			cache: Module._cache
		}),
		module,
		exports: module.exports,
		__filename: name,
		__dirname: '.',
		[IMPORT]: (specifier: unknown) => host.esm.import(String(specifier), file)
	};
	for (const [key, value] of Object.entries(globals)) {
		Object.defineProperty(globalThis, key, { value, writable: true, configurable: true });
	}
	for (const builtin of [
		'fs',
		'path',
		'os',
		'util',
		'events',
		'assert',
		'child_process',
		'crypto',
		'url',
		'zlib',
		'stream'
	]) {
		Object.defineProperty(globalThis, builtin, {
			get: () => host.builtin(builtin),
			set: (value) => Object.defineProperty(globalThis, builtin, { value, writable: true, configurable: true }),
			configurable: true
		});
	}
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
