import { DescriptorTable, standardStream, type StandardStream } from '#computer/wasi/descriptors.ts';
import { ModuleMemory } from '#computer/wasi/memory.ts';
import { preview1 } from '#computer/wasi/preview1.ts';
import { WasiExit } from '#computer/wasi/types.ts';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';

interface Fs {
	readSync(descriptor: number, target: Uint8Array): number;
	writeSync(descriptor: number, bytes: Uint8Array): number;
	statSync(path: string): { isDirectory(): boolean };
}

/** Libraries find the fields by these descriptions: emnapi sets up an instance that has `_start` without running it. */
const kInstance = Symbol('kInstance');
const kSetMemory = Symbol('kSetMemory');
const kStarted = Symbol('kStarted');

const VERSIONS: Record<string, string> = { unstable: 'wasi_unstable', preview1: 'wasi_snapshot_preview1' };

/** `node:wasi`: WASI preview 1 over the sandbox's files, with preopened directories. */
export function createWasi(runtime: Runtime, get: (name: string) => unknown): Record<string, unknown> {
	class WASI {
		readonly wasiImport: WebAssembly.ModuleImports;
		readonly #memory = new ModuleMemory();
		readonly #name: string;
		readonly #returnsOnExit: boolean;
		[kStarted] = false;
		[kInstance]: WebAssembly.Instance | undefined;

		/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE; ENOENT, ENOTDIR for a missing directory */
		constructor(options: unknown = {}) {
			const { args, env, preopens, returnOnExit, version, stdin, stdout, stderr } = checked(options);
			this.#name = VERSIONS[version] ?? '';
			this.#returnsOnExit = returnOnExit;
			const fs = get('fs') as Fs;
			const directories = Object.entries(preopens).map(([name, given]) => {
				const path = runtime.resolvePath(given);
				if (!isDirectory(fs, path)) throw nodeError(Error, 'UVWASI_ENOENT', 'UVWASI_ENOENT, uvwasi_init');
				return [name, path];
			});
			const streams = [stdin, stdout, stderr].map((number) => streamOf(runtime, fs, number));
			const descriptors = new DescriptorTable(streams, Object.fromEntries(directories), true);
			this.wasiImport = preview1(this.#memory, descriptors, runtime.sys, args, env);
		}

		[kSetMemory](memory: WebAssembly.Memory): void {
			this.#memory.use(memory);
		}

		getImportObject(): WebAssembly.Imports {
			return { [this.#name]: this.wasiImport };
		}

		/** Connects the functions to the instance's memory, which is all that some programs need. */
		finalizeBindings(instance: WebAssembly.Instance, { memory = instance?.exports?.['memory'] } = {}): void {
			if (this[kStarted]) {
				throw nodeError(Error, 'ERR_WASI_ALREADY_STARTED', 'WASI instance has already started');
			}
			needsObject('instance', instance);
			needsObject('instance.exports', instance.exports);
			if (!(memory instanceof WebAssembly.Memory)) {
				const words = '"instance.exports.memory" property must be a WebAssembly.Memory object';
				throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', words);
			}
			this[kSetMemory](memory);
			this[kInstance] = instance;
			this[kStarted] = true;
		}

		/** Runs a command. @returns its exit code */
		start(instance: WebAssembly.Instance): number | undefined {
			this.finalizeBindings(instance);
			const { _start: start, _initialize: initialize } = instance.exports;
			if (typeof start !== 'function') {
				throw invalidArgument('instance.exports._start', 'of type function', start);
			}
			if (initialize !== undefined) throw invalidArgument('instance.exports._initialize', 'undefined', initialize);
			try {
				start();
				return 0;
			} catch (error) {
				if (!(error instanceof WasiExit)) throw error;
				return this.#returnsOnExit ? error.code : runtime.process.reallyExit(error.code);
			}
		}

		/** Initializes a library. */
		initialize(instance: WebAssembly.Instance): void {
			this.finalizeBindings(instance);
			const { _start: start, _initialize: initialize } = instance.exports;
			if (start !== undefined) throw invalidArgument('instance.exports._start', 'undefined', start);
			if (initialize === undefined) return;
			if (typeof initialize !== 'function') {
				throw invalidArgument('instance.exports._initialize', 'of type function', initialize);
			}
			initialize();
		}
	}
	return { WASI };
}

interface WasiOptions {
	args: string[];
	env: Record<string, string>;
	preopens: Record<string, string>;
	returnOnExit: boolean;
	version: string;
	stdin: number;
	stdout: number;
	stderr: number;
}

function checked(options: unknown): WasiOptions {
	needsObject('options', options);
	const given = options as Record<string, unknown>;
	const { version, args = [], env = {}, preopens = {}, returnOnExit = true } = given;
	if (typeof version !== 'string') throw invalidArgument('options.version', 'of type string', version);
	if (!Object.hasOwn(VERSIONS, version)) {
		throw nodeError(
			TypeError,
			'ERR_INVALID_ARG_VALUE',
			`The property 'options.version' unsupported WASI version. Received '${version}'`
		);
	}
	if (!Array.isArray(args)) throw invalidArgument('options.args', 'an instance of Array', args);
	needsObject('options.env', env);
	needsObject('options.preopens', preopens);
	if (typeof returnOnExit !== 'boolean') {
		throw invalidArgument('options.returnOnExit', 'of type boolean', returnOnExit);
	}
	const texts = (record: object) =>
		Object.fromEntries(
			Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
		);
	const descriptor = (name: string, standard: number): number => {
		const value = given[name] ?? standard;
		if (typeof value !== 'number') throw invalidArgument(`options.${name}`, 'of type number', value);
		return value;
	};
	return {
		args: args.map(String),
		env: texts(env),
		preopens: texts(preopens),
		returnOnExit,
		version,
		stdin: descriptor('stdin', 0),
		stdout: descriptor('stdout', 1),
		stderr: descriptor('stderr', 2)
	};
}

function needsObject(name: string, value: unknown): asserts value is object {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw invalidArgument(name, 'of type object', value);
	}
}

/** Stream of the process, or a file it has opened. */
function streamOf(runtime: Runtime, fs: Fs, number: number): StandardStream {
	if (number >= 0 && number <= 2) return standardStream(runtime.sys, number);
	return {
		read: (max) => {
			const bytes = new Uint8Array(max);
			return bytes.subarray(0, fs.readSync(number, bytes));
		},
		write: (bytes) => {
			for (let at = 0; at < bytes.length;) at += fs.writeSync(number, bytes.subarray(at));
		},
		isTerminal: () => false
	};
}

function isDirectory(fs: Fs, path: string): boolean {
	try {
		return fs.statSync(path).isDirectory();
	} catch {
		// The reason is not needed: Node only reports that it failed.
		return false;
	}
}
