import type { Readable, Writable } from 'node:stream';
import { EventEmitter } from '../modules/events.ts';
import { NODE_VERSION } from '#computer/abi/versions.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { LocalTime } from '#computer/local-time/zoned-date.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import type { SignalName } from '#computer/abi/syscalls.ts';
import { asSystem, invalidArgument, nodeError, systemError, unsupported, isSyscallError } from './errors.ts';
import type { EventLoop } from './event-loop.ts';
import { processBinding } from './bindings.ts';
import { deprecateOnce } from './deprecation.ts';
import { environment } from './environment.ts';
import { allowedEnvironmentFlags } from './environment-flags.ts';
import { cpuUsage, hrtime, memoryUsage, resourceUsage } from './usage.ts';
import { boolean, modeOf, string } from './validate.ts';
import { warningOf, warningPrinter } from './warnings.ts';
import { credentialSetters } from './credentials.ts';
import { format } from 'node-inspect-extracted';
import { addEnv } from '../modules/util/parse-env.ts';
import { isSignalName, signalNamed, UNCATCHABLE } from '#computer/abi/signals.ts';
import { signalNumbers } from './signals.ts';
import { nowMs } from './clock.ts';

const RELEASE = `https://nodejs.org/download/release/${NODE_VERSION}/node-${NODE_VERSION}`;
const REF = Symbol.for('nodejs.ref');
const UNREF = Symbol.for('nodejs.unref');

/** Resource that may keep the program alive. */
interface Referable {
	ref?(): unknown;
	unref?(): unknown;
	[REF]?(): unknown;
	[UNREF]?(): unknown;
}

/** Thrown by `process.exit` after the kernel was notified; no code of the program may run afterwards. */
export class ProcessExit extends Error {
	constructor(readonly exitCode: number) {
		super(`The program ended with exit code ${exitCode}.`);
	}
}

type Callback = (...args: unknown[]) => unknown;

/** Fields of `process` set by flags. */
const WARNING_FLAGS = {
	'--no-deprecation': 'noDeprecation',
	'--throw-deprecation': 'throwDeprecation',
	'--trace-deprecation': 'traceDeprecation',
	'--trace-warnings': 'traceProcessWarnings'
};

const encode = (text: string) => new TextEncoder().encode(text);

/** `process`, without the streams, which `stdio.ts` adds. */
export class NodeProcess extends EventEmitter {
	readonly #context: ProcessContext;
	readonly #loop: EventLoop;
	#cwd: string;
	#exiting = false;
	#exitCode: number | undefined;
	#umask: number;
	readonly #startedMs = nowMs();

	declare stdin: Readable;
	declare stdout: Writable;
	declare stderr: Writable;
	title = 'node';
	readonly pid: number;
	readonly ppid: number;
	readonly arch = 'x64';
	readonly platform = 'linux';
	readonly version = NODE_VERSION;
	readonly versions = {
		node: NODE_VERSION.slice(1),
		brotli: '1.1.0',
		cldr: '48.0',
		icu: '78.3',
		modules: '127',
		napi: '10',
		openssl: '3.5.9',
		sqlite: '3.54.1',
		tz: '2026e',
		undici: '6.29.1',
		unicode: '17.0',
		uv: '1.51.0',
		v8: '12.4.254.21-node.57',
		zlib: '1.3.1-e00f703',
		zstd: '1.5.7'
	};
	readonly release = {
		name: 'node',
		lts: 'Jod',
		sourceUrl: `${RELEASE}.tar.gz`,
		headersUrl: `${RELEASE}-headers.tar.gz`
	};
	readonly features = {
		inspector: false,
		debug: false,
		uv: true,
		ipv6: true,
		tls_alpn: true,
		tls_sni: true,
		tls_ocsp: false,
		tls: true,
		openssl_is_boringssl: false,
		cached_builtins: true,
		require_module: true,
		typescript: 'transform'
	};
	readonly config = { target_defaults: {}, variables: { node_module_version: 127, v8_enable_i18n_support: 1 } };
	readonly execPath = '/usr/local/bin/node';
	readonly #bindings = new Map<string, object>();
	argv0 = 'node';
	argv: string[];
	execArgv: string[] = [];
	env: Record<string, string>;
	/** Programs use it to detect the C library: there is none. */
	readonly report = { excludeNetwork: false, getReport: () => report() };
	readonly moduleLoadList: string[] = [];
	readonly hrtime: ((previous?: [number, number]) => [number, number]) & { bigint(): bigint };
	readonly memoryUsage: (() => Record<string, number>) & { rss(): number };

	constructor(context: ProcessContext, loop: EventLoop) {
		super();
		this.#context = context;
		this.#loop = loop;
		this.#cwd = context.cwd;
		this.pid = context.pid;
		this.ppid = context.parent;
		this.#umask = context.umask;
		this.argv = context.argv;
		const time = new LocalTime(globalThis);
		this.env = environment(context.env, (tz) => time.follow(tz));
		this.hrtime = Object.assign(hrtime, { bigint: () => BigInt(Math.round(nowMs() * 1e6)) });
		this.memoryUsage = Object.assign(memoryUsage, { rss: () => memoryUsage().rss ?? 0 });
		this.on('newListener', (event) => this.#watchSignal(event, true));
		this.on('removeListener', (event) => {
			if (this.listenerCount(event) === 0) this.#watchSignal(event, false);
		});
		context.onSignal((signal) => loop.enter(() => this.emit(signal, signal, signalNumbers[signal])));
		Object.assign(this, credentialSetters);
		this.#own();
	}

	/**
	 * Applies the flags for warnings, and prints warnings unless they are disabled.
	 * @param flags Node's own flags
	 */
	followWarningFlags(flags: readonly string[]): void {
		const valueOf = (flag: string) => flags.find((one) => one.startsWith(`${flag}=`))?.slice(flag.length + 1);
		for (const [flag, field] of Object.entries(WARNING_FLAGS)) {
			if (flags.includes(flag)) Object.assign(this, { [field]: true });
		}
		if (this.env['NODE_NO_WARNINGS'] === '1' || flags.includes('--no-warnings')) return;
		const file = valueOf('--redirect-warnings') ?? this.env['NODE_REDIRECT_WARNINGS'];
		const write = (text: string) => {
			if (file) this.#context.sync.appendFile(file.startsWith('/') ? file : `${this.#cwd}/${file}`, encode(text));
			else this.stderr.write(text);
		};
		const disabled = flags.flatMap((flag) => /^--disable-warning=(.*)/.exec(flag)?.[1] ?? []);
		this.on('warning', warningPrinter(Object.setPrototypeOf({ disabled, write }, this) as never));
	}

	/**
	 * Copies functions to the object itself, as in Node: they work when detached, and `node:process` exports each by
	 * its name.
	 */
	#own(): void {
		Object.defineProperty(this, Symbol.toStringTag, { value: 'process', writable: true });
		const exitCode = Object.getOwnPropertyDescriptor(NodeProcess.prototype, 'exitCode');
		Object.defineProperty(this, 'exitCode', { ...exitCode, enumerable: true });
		for (const name of Object.getOwnPropertyNames(NodeProcess.prototype)) {
			const method = Object.getOwnPropertyDescriptor(NodeProcess.prototype, name)?.value as unknown;
			if (typeof method !== 'function' || name === 'constructor') continue;
			const value: unknown = method.bind(this);
			Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
		}
	}

	get exitCode(): number | undefined {
		return this.#exitCode;
	}

	set exitCode(code: unknown) {
		if (code === undefined || code === null) this.#exitCode = undefined;
		else if (Number.isInteger(Number(code)) && code !== '') this.#exitCode = Number(code);
		else throw invalidArgument('code', 'of type number', code);
	}

	cwd(): string {
		return this.#cwd;
	}

	chdir(directory: string): void {
		string(directory, 'directory');
		const path = directory.startsWith('/') ? directory : `${this.#cwd}/${directory}`;
		const stat = this.#context.sync.statOrNull(path);
		const code = stat ? (stat.kind === 'directory' ? null : 'ENOTDIR') : 'ENOENT';
		if (code) throw systemError(code, 'chdir', this.#cwd, directory);
		this.#cwd = this.#context.sync.realpath(path);
	}

	nextTick(callback: Callback, ...args: unknown[]): void {
		if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
		this.#loop.nextTick(callback, args);
	}

	/** Ends the program now: `exit` listeners run, but nothing after the call. */
	exit(code?: number): never {
		if (code !== undefined) this.exitCode = code;
		this.emitExit();
		const exitCode = (this.#exitCode ?? 0) & 255;
		this.#context.sync.exit(exitCode);
		throw new ProcessExit(exitCode);
	}

	reallyExit(code: number): never {
		this.#context.sync.exit(code);
		throw new ProcessExit(code);
	}

	/** Emits `exit`, once. */
	emitExit(): void {
		if (this.#exiting) return;
		this.#exiting = true;
		Object.assign(this, { _exiting: true });
		this.#loop.stopTicks();
		this.emit('exit', this.#exitCode ?? 0);
	}

	abort(): never {
		this.#context.sync.kill(this.pid, 'SIGABRT');
		return this.reallyExit(134);
	}

	kill(pid: number, signal: SignalName | number = 'SIGTERM'): true {
		// Node compares loosely too: a number in a string is accepted, `null` and NaN are not.
		if (pid != (pid | 0)) throw invalidArgument('pid', 'of type number', pid);
		const number = typeof signal === 'number' ? signal : signalNumbers[signal];
		if (number === undefined) throw nodeError(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`);
		this._kill(Number(pid), number);
		return true;
	}

	_kill(pid: number, signal: number): void {
		try {
			const name = signalNamed(signal) ?? 0;
			if (name === 0 && signal !== 0) throw new SyscallError('EINVAL', 'no such signal');
			this.#context.sync.kill(pid, name);
		} catch (error) {
			throw isSyscallError(error) ? Object.assign(new Error(`kill ${error.code}`), systemFields(error.code)) : error;
		}
	}

	emitWarning(...given: unknown[]): void {
		const warning = warningOf(given, this.emitWarning);
		if (warning.name === 'DeprecationWarning') {
			if (Reflect.get(this, 'noDeprecation')) return;
			if (Reflect.get(this, 'throwDeprecation')) {
				return this.nextTick(() => {
					throw warning;
				});
			}
		}
		this.nextTick(() => this.emit('warning', warning));
	}

	uptime(): number {
		return (nowMs() - this.#startedMs) / 1000;
	}

	umask(mask?: unknown): number {
		const before = this.#umask;
		if (mask !== undefined) this.#umask = modeOf(mask, 'mask') & 0o777;
		return before;
	}

	cpuUsage(previous?: unknown) {
		return cpuUsage(this.#startedMs, previous);
	}

	/** A worker is the only thread that can be measured. */
	threadCpuUsage(previous?: unknown) {
		return this.cpuUsage(previous);
	}

	resourceUsage() {
		const { user, system } = this.cpuUsage();
		return resourceUsage(user, system);
	}

	/** Deprecated in Node for `node:assert`. @throws ERR_ASSERTION */
	assert(value: unknown, message = 'assertion error'): void {
		deprecateOnce(this, 'process.assert() is deprecated. Please use the `assert` module instead.', 'DEP0100');
		if (!value) throw nodeError(Error, 'ERR_ASSERTION', message);
	}

	/** Lets a timer, socket or the like keep the program alive. */
	ref(resource?: Referable | null): void {
		(resource?.[REF] ?? resource?.ref)?.call(resource);
	}

	/** Opposite of `ref`. */
	unref(resource?: Referable | null): void {
		(resource?.[UNREF] ?? resource?.unref)?.call(resource);
	}

	_rawDebug(...args: unknown[]): void {
		this.#context.sync.write(2, encode(`${format(...args)}\n`));
	}

	getActiveResourcesInfo(): string[] {
		return this.#loop.held().map(({ kind }) => kind);
	}

	_getActiveHandles(): object[] {
		return this.#loop.held().flatMap(({ owner }) => owner ?? []);
	}

	_getActiveRequests(): object[] {
		return this.#loop.held().filter(({ kind }) => kind.startsWith('FSReq'));
	}

	openStdin(): Readable {
		return this.stdin.resume();
	}

	/** Sets variables from a file of `NAME=value` lines unless they are set already. @throws ENOENT */
	loadEnvFile(path = '.env'): void {
		const { sync } = this.#context;
		const file = asSystem('open', path, undefined, () =>
			sync.readFile(path.startsWith('/') ? path : `${this.#cwd}/${path}`)
		);
		addEnv(this.env, file);
	}

	availableMemory = () => 1024 ** 3;
	constrainedMemory = () => 2 * 1024 ** 3;
	/** Returns a module of Node by its name; `undefined` for any other name. */
	declare getBuiltinModule: (name: string) => unknown;
	debugPort = 9229;
	domain = null;
	mainModule: unknown = undefined;
	noProcessWarnings = false;
	/** Set while uncaught errors are passed to a function of the program. */
	captureUncaught: ((error: unknown) => void) | null = null;
	sourceMapsEnabled = false;
	setSourceMapsEnabled = (enabled: boolean): void => {
		boolean(enabled, 'val');
		this.sourceMapsEnabled = enabled;
	};
	allowedNodeEnvironmentFlags = allowedEnvironmentFlags();
	getuid = () => 1000;
	geteuid = () => 1000;
	getgid = () => 1000;
	getegid = () => 1000;
	getgroups = () => [1000];
	hasUncaughtExceptionCaptureCallback = () => this.captureUncaught !== null;
	setUncaughtExceptionCaptureCallback = (callback: ((error: unknown) => void) | null): void => {
		if (callback !== null && typeof callback !== 'function') {
			throw invalidArgument('fn', 'of type function or null', callback);
		}
		if (callback && this.captureUncaught) {
			const words = '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active';
			throw nodeError(Error, 'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET', words);
		}
		this.captureUncaught = callback;
	};
	/** Keeps the objects alive, so that their callbacks run at exit. */
	finalization = {
		register: <T extends object>(value: T, done: (value: T, event: string) => void) =>
			void this.on('exit', () => done(value, 'exit')),
		registerBeforeExit: <T extends object>(value: T, done: (value: T, event: string) => void) =>
			void this.on('beforeExit', () => done(value, 'beforeExit')),
		unregister: () => undefined
	};

	/** Handles an error as uncaught. Tools that format stacks wrap it. */
	_fatalException(error: unknown): boolean {
		this.#loop.onUncaught(error);
		return true;
	}

	binding(name: string): unknown {
		const binding = this.#bindings.get(name) ?? processBinding(name, this.#context.sync);
		this.#bindings.set(name, binding);
		return binding;
	}

	dlopen(): never {
		throw unsupported(
			'process.dlopen()',
			'Native addons cannot run in a browser tab; take a package written in JavaScript.'
		);
	}

	#watchSignal(event: unknown, caught: boolean): void {
		if (isSignalName(event) && !UNCATCHABLE.has(event)) this.#context.sync.catchSignal(event, caught);
	}

	static {
		// Node's is not a class: jest calls it on its copy of `process`.
		const process = function (this: unknown) {
			return this;
		};
		Object.defineProperty(process, 'name', { value: 'process' });
		process.prototype = this.prototype;
		Object.defineProperty(this.prototype, 'constructor', { value: process, writable: true, configurable: true });
	}
}

function report() {
	const header = { reportVersion: 3, event: 'JavaScript API', trigger: 'GetReport', nodejsVersion: NODE_VERSION };
	return { header: { ...header, arch: 'x64', platform: 'linux' }, sharedObjects: [] };
}

function systemFields(code: string) {
	return { code, syscall: 'kill', errno: systemError(code, 'kill').errno };
}
