import path from 'path';
import type { ProcessContext } from '#computer/process/program.ts';
import { Module } from './loader/commonjs.ts';
import { AsyncContext, defineAwaitHelpers } from './loader/async-context.ts';
import { PreparedModules } from './loader/prepared-modules.ts';
import { EsModules, type LoaderHost } from './loader/esm.ts';
import { LoaderFiles } from './loader/files.ts';
import { LoaderHooks } from './loader/hooks.ts';
import { replaceFunctionConstructors } from './loader/function-constructor.ts';
import type { ModuleAccess, Replacements } from './loader/replacements.ts';
import { Resolver } from './loader/resolve.ts';
import { tsconfigPaths } from './loader/tsconfig-paths.ts';
import { builtinModules, isBuiltin, isPrefixedBuiltin } from './modules/builtins.ts';
import { followSteps, resume, wait } from './modules/async-hooks.ts';
import { setupWorker, WORKER_ID } from './modules/cluster/index.ts';
import { globalConsole } from './modules/console.ts';
import { createFetch } from './modules/fetch.ts';
import { useProcess } from './modules/stream.ts';
import { type NodeOptions } from './options.ts';
import { EventLoop } from './runtime/event-loop.ts';
import { installGlobals } from './runtime/globals.ts';
import { openParentChannel } from './runtime/parent-channel.ts';
import { NodeProcess, ProcessExit } from './runtime/process.ts';
import { type RejectionMode, Rejections } from './runtime/rejections.ts';
import type { Runtime } from './runtime/runtime.ts';
import { installStackTraces } from './runtime/stack.ts';
import { followTargets } from './runtime/target-listeners.ts';
import { inputStream, outputStream } from './runtime/stdio.ts';
import { Timers } from './runtime/timers.ts';
import { describeUncaught } from './runtime/uncaught.ts';
import { createBroadcastChannel } from './threads/broadcast-channel.ts';
import { Broadcasts } from './threads/broadcasts.ts';
import { threadFailure } from './threads/thread.ts';
import { reportLoads } from './watch.ts';

/** Program with a Node of its own: with additional modules, and one task instead of a file. */
export interface Preset {
	/** Additional module names, wherever they are imported. */
	modules: readonly string[];
	module(name: string): unknown;
	/** Replacements of modules. */
	replacements?: Replacements;
	run(instance: {
		modules: ModuleAccess;
		/** `import()` of a path or a package, resolved from a directory. */
		load(specifier: string, directory: string): Promise<unknown>;
		process: NodeProcess;
	}): Promise<void>;
}

/** A program's Node: its runtime, and how its exit code is reported. */
export interface NodeInstance {
	runtime: Runtime;
	host: LoaderHost;
	/** Set if the main module is an ES module that has not finished. */
	unsettled: boolean;
	end(code: number): void;
}

/** Creates all of Node around a program that is not loaded yet. */
export function createNodeInstance(context: ProcessContext, options: NodeOptions, preset?: Preset): NodeInstance {
	// Before the program's own environment is read: the variable is not meant for the program.
	const report = reportLoads(context);
	const loop = new EventLoop();
	const timers = new Timers(loop);
	const process = new NodeProcess(context, loop);
	timers.warn = (name, message) => process.emitWarning(message, name);
	const runtime: Runtime = {
		context,
		sys: context.sync,
		async: context.async,
		loop,
		timers,
		process,
		broadcasts: new Broadcasts(loop),
		thread: null,
		sharedListening: null,
		// Replaced with its loader, as `fatal` below.
		prepareText: (code) => code,
		resolvePath: (given) => path.resolve(process.cwd(), given),
		// Replaced below, once there is a loader that reads sources for the message.
		fatal: (error) => {
			throw error;
		}
	};
	useProcess(loop, process);
	installStackTraces();
	followTargets(EventTarget.prototype);
	lazyStreams(runtime);
	const host = createHost(runtime, options, preset, report);
	Module.host = host;
	Module._initPaths(context.env);
	process.execArgv = options.execArgv;
	process.title = options.title;
	process.followWarningFlags(options.flags);
	const instance: NodeInstance = { runtime, host, unsettled: false, end: () => {} };

	const fatal = uncaughtHandler(instance, context);
	// Errors from which Node itself cannot continue are not passed to listeners.
	runtime.fatal = (error) => {
		process.removeAllListeners('uncaughtException');
		fatal(error);
	};
	loop.onUncaught = fatal;
	loop.onIdle = () => endWhenIdle(instance);
	if (options.action !== 'thread') openParentChannel(runtime);
	watchGlobalErrors(runtime, options.rejections, fatal);
	replaceFunctionConstructors(
		runtime,
		(specifier, from) => host.esm.import(specifier, from),
		() => `${process.cwd()}/[eval]`
	);
	installGlobals(runtime, {
		console: globalConsole(() => process),
		fetch: createFetch(runtime),
		BroadcastChannel: createBroadcastChannel(runtime)
	});
	if (options.action !== 'thread') joinCluster(runtime, host.builtin);
	return instance;
}

/** Connects a worker of a cluster with its primary; the program's own children are none. */
function joinCluster({ process, context }: Runtime, builtin: (name: string) => unknown): void {
	if (!context.channel || !Object.hasOwn(process.env, WORKER_ID)) return;
	setupWorker(builtin('cluster'));
	Reflect.deleteProperty(process.env, WORKER_ID);
}

/** Creates the loader of a program's modules: Node's own, those of a preset, and files. */
function createHost(
	runtime: Runtime,
	options: NodeOptions,
	preset: Preset | undefined,
	report: (path: string) => void
): LoaderHost {
	const { context, loop, process } = runtime;
	const own = builtinModules(runtime);
	const given = (name: string) => preset?.modules.includes(name) === true;
	const builtin = (name: string) => {
		if (name === 'async_hooks') asyncContext.loaded();
		return preset && given(name) ? preset.module(name) : own(name);
	};
	process.getBuiltinModule = (given) => {
		const name = given.replace(/^node:/, '');
		return isPrefixedBuiltin(name) ? builtin(name) : undefined;
	};
	const files = new LoaderFiles(context, report);
	const resolver = new Resolver(
		files,
		(name) => given(name) || isBuiltin(name),
		(name) => given(name) || isPrefixedBuiltin(name),
		options.conditions
	);
	const asyncContext = new AsyncContext(files);
	runtime.prepareText = (code, mayAwait) => asyncContext.prepareText(code, mayAwait);
	defineAwaitHelpers({ wait, resume, follow: followSteps, evaluated: (code) => asyncContext.evaluated(code) });
	const replacements = preset?.replacements;
	const { tsconfig } = options;
	const named = tsconfig === null ? null : tsconfigPaths(files, tsconfig === '' ? null : runtime.resolvePath(tsconfig));
	resolver.rename = replacements?.rename?.(files) ?? named;
	const hold = <Result>(promise: Promise<Result>) => loop.holdWhile(promise);
	const hooks = new LoaderHooks();
	const prepared = new PreparedModules(context.prepared);
	const esm = new EsModules({ files, resolver, builtin, asyncContext, prepared, hooks, replacements, hold });
	return { resolver, files, esm, builtin, asyncContext, hooks, replacements, main: undefined };
}

/** Passes uncaught errors to the program's handlers, or ends it. */
function uncaughtHandler(instance: NodeInstance, context: ProcessContext): (error: unknown) => void {
	const { runtime, host } = instance;
	const { loop, process } = runtime;
	const { files } = host;
	const print = (error: unknown): void => {
		const read = (file: string) => (file.startsWith('/') && files.isFile(file) ? files.read(file) : null);
		context.sync.write(2, new TextEncoder().encode(describeUncaught(error, read)));
	};
	/** Passes an uncaught error to the program. If its handler throws, the program ends immediately with 7. */
	const handle = (handler: () => unknown): void =>
		loop.enter(() => {
			try {
				handler();
			} catch (error) {
				if (error instanceof ProcessExit) throw error;
				print(error);
				process.reallyExit(7);
			}
		});
	return (error) => {
		const report = (runtime.thread && threadFailure(context.channel ?? null)) ?? print;
		if (error instanceof ProcessExit) return;
		const { captureUncaught } = process;
		if (captureUncaught) return handle(() => captureUncaught(error));
		if (process.listenerCount('uncaughtException') > 0) {
			return handle(() => process.emit('uncaughtException', error, 'uncaughtException'));
		}
		report(error);
		process.exitCode = 1;
		try {
			process.exit(1);
		} catch {
			instance.end(1);
		}
	};
}

/** Ends the program when nothing is pending, unless a listener of `beforeExit` starts something. */
function endWhenIdle(instance: NodeInstance): void {
	const { loop, process } = instance.runtime;
	loop.enter(() => process.emit('beforeExit', process.exitCode ?? 0));
	// When that ends, this is called again.
	if (loop.references > 0) return;
	loop.post(() => {
		if (loop.references > 0) return;
		if (instance.unsettled && process.exitCode === undefined) {
			process.stderr.write('Warning: Detected unsettled top-level await\n');
			process.exitCode = 13;
		}
		loop.enter(() => process.emitExit());
		instance.end((process.exitCode ?? 0) & 255);
	});
}

/** Created on first access: most programs never read stdin. */
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

function watchGlobalErrors(runtime: Runtime, mode: RejectionMode, fatal: (error: unknown) => void): void {
	const rejections = new Rejections(runtime, mode, (error) => (runtime.loop.onRejection ?? fatal)(error));
	addEventListener('error', (event) => {
		event.preventDefault();
		fatal(event.error);
	});
	addEventListener('unhandledrejection', (event) => {
		event.preventDefault();
		const { reason, promise } = event as PromiseRejectionEvent;
		if (!(reason instanceof ProcessExit)) rejections.unhandled(reason, promise);
	});
	addEventListener('rejectionhandled', (event) => rejections.handled((event as PromiseRejectionEvent).promise));
}
