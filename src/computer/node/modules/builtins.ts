import { StringDecoder } from './string-decoder.ts';
import { unknownBuiltin } from '../loader/namespace.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { addAbsent } from './absent.ts';
import { createAssert } from './assert/index.ts';
import { createAsyncHooks } from './async-hooks.ts';
import { createBufferModule } from './buffer/index.ts';
import { createChildProcess } from './child-process/index.ts';
import { createCluster } from './cluster/index.ts';
import { createCrypto } from './crypto/index.ts';
import { createDgram } from './dgram/index.ts';
import { createDomainModule } from './domain.ts';
import { createDiagnosticsChannel } from './diagnostics-channel.ts';
import { createDns } from './dns.ts';
import { duplexPair } from './duplex-pair.ts';
import EventEmitter from './events.ts';
import { constants } from './fs/constants.ts';
import { createFs } from './fs/index.ts';
import { createHttpCommon } from './http/headers.ts';
import { createHttp } from './http/index.ts';
import { createHttp2 } from './http2/index.ts';
import { createNet } from './net/index.ts';
import { createInspector, createInspectorPromises } from './inspector.ts';
import { createModule } from './module.ts';
import { createOs } from './os.ts';
import { createPath } from './path.ts';
import { createPerfHooks } from './perf-hooks/index.ts';
import { punycode } from './punycode.ts';
import * as querystring from './querystring.ts';
import { createReadline } from './readline/index.ts';
import { createRepl } from './repl/index.ts';
import streams from './stream.ts';
import { streamConsumers } from './stream-consumers.ts';
import { createSea } from './sea.ts';
import { createSqlite } from './sqlite/index.ts';
import { createTimerPromises, createTimers } from './timers.ts';
import { createTls } from './tls/index.ts';
import { traceEvents } from './trace-events.ts';
import { createTty } from './tty.ts';
import { createUrl } from './url.ts';
import { createUtil } from './util/index.ts';
import { types } from './util/types.ts';
import { createV8 } from './v8/v8.ts';
import { createVm } from './vm.ts';
import { createWasi } from './wasi.ts';
import { createZlib } from './zlib/index.ts';
import { createWorkerThreads } from '../threads/module.ts';
import { createTestModule } from '../testing/module.ts';
import { createReporterModule } from '../testing/reporters/index.ts';

type Make = (runtime: Runtime, get: (name: string) => unknown) => unknown;

const field = (module: unknown, name: string): unknown => Reflect.get(module as object, name);

const MAKERS: Record<string, Make> = {
	assert: (runtime) => createAssert(runtime),
	'assert/strict': (_, get) => field(get('assert'), 'strict'),
	async_hooks: (runtime) => createAsyncHooks(runtime),
	buffer: () => createBufferModule(),
	child_process: (runtime) => createChildProcess(runtime),
	cluster: (runtime) => createCluster(runtime),
	console: () => globalThis.console,
	constants: () => constants,
	crypto: () => createCrypto(),
	dgram: (runtime) => createDgram(runtime),
	diagnostics_channel: () => createDiagnosticsChannel(),
	dns: () => createDns(),
	'dns/promises': (_, get) => field(get('dns'), 'promises'),
	domain: (runtime) => createDomainModule(runtime),
	events: () => EventEmitter,
	fs: (runtime) => createFs(runtime),
	'fs/promises': (_, get) => field(get('fs'), 'promises'),
	http: (runtime) => createHttp(runtime, 'http:'),
	http2: (runtime, get) => createHttp2(runtime, get),
	https: (runtime) => createHttp(runtime, 'https:'),
	net: (runtime) => createNet(runtime),
	module: (_, get) => createModule(Object.keys(MAKERS), get),
	repl: createRepl,
	os: (runtime) => createOs(runtime),
	path: (runtime) => createPath(runtime),
	'path/posix': (_, get) => get('path'),
	'path/win32': (_, get) => field(get('path'), 'win32'),
	perf_hooks: (runtime) => createPerfHooks(runtime),
	process: (runtime) => runtime.process,
	punycode: () => punycode,
	querystring: () => ({ ...querystring }),
	readline: () => createReadline(),
	'readline/promises': (_, get) => field(get('readline'), 'promises'),
	stream: () => Object.assign(streams.Stream, { duplexPair }),
	'stream/consumers': () => streamConsumers,
	'stream/promises': () => streams.promises,
	'stream/web': () => ({
		ReadableStream,
		WritableStream,
		TransformStream,
		ByteLengthQueuingStrategy,
		CountQueuingStrategy,
		TextDecoderStream,
		TextEncoderStream,
		CompressionStream,
		DecompressionStream,
		ReadableByteStreamController,
		ReadableStreamBYOBReader,
		ReadableStreamBYOBRequest,
		ReadableStreamDefaultController,
		ReadableStreamDefaultReader,
		TransformStreamDefaultController,
		WritableStreamDefaultController,
		WritableStreamDefaultWriter
	}),
	sea: createSea,
	sqlite: (runtime) => createSqlite(runtime),
	string_decoder: () => ({ StringDecoder }),
	sys: (_, get) => get('util'),
	test: (runtime) => createTestModule(runtime),
	'test/reporters': () => createReporterModule(),
	timers: (runtime) => createTimers(runtime),
	'timers/promises': (runtime) => createTimerPromises(runtime),
	tls: (runtime) => createTls(runtime),
	trace_events: () => traceEvents,
	tty: (runtime) => createTty(runtime),
	url: (runtime) => createUrl(runtime),
	util: (runtime) => createUtil(runtime),
	'util/types': () => types,
	v8: () => createV8(),
	vm: createVm,
	wasi: (runtime, get) => createWasi(runtime, get),
	worker_threads: (runtime) => createWorkerThreads(runtime, runtime.thread),
	zlib: (runtime) => createZlib(runtime),
	_http_common: (_, get) => createHttpCommon(field(get('http'), 'METHODS')),
	...partsOf('http', {
		_http_agent: ['Agent', 'globalAgent'],
		_http_client: ['ClientRequest'],
		_http_incoming: ['IncomingMessage'],
		_http_outgoing: ['OutgoingMessage'],
		_http_server: ['Server', 'ServerResponse', 'STATUS_CODES']
	}),
	_stream_duplex: () => streams.Duplex,
	_stream_passthrough: () => streams.PassThrough,
	_stream_readable: () => streams.Readable,
	_stream_transform: () => streams.Transform,
	_stream_wrap: () => streams.Duplex,
	_stream_writable: () => streams.Writable,
	_tls_common: (_, get) => get('tls'),
	_tls_wrap: (_, get) => get('tls'),
	inspector: (runtime) => createInspector(runtime),
	'inspector/promises': (runtime) => createInspectorPromises(runtime)
};

/** Modules that are part of another one, under names that predate the public ones. */
function partsOf(module: string, parts: Record<string, string[]>): Record<string, Make> {
	return Object.fromEntries(
		Object.entries(parts).map(([name, fields]) => [
			name,
			(_: Runtime, get: (name: string) => unknown) =>
				Object.fromEntries(fields.map((part) => [part, field(get(module), part)]))
		])
	);
}

/** Available only with the prefix `node:`. */
const PREFIXED = new Set(['sea', 'test', 'test/reporters', 'sqlite']);

export function isBuiltin(name: string): boolean {
	return !PREFIXED.has(name) && isPrefixedBuiltin(name);
}

export function isPrefixedBuiltin(name: string): boolean {
	// Not `in`: a program may have added the name of a package to the prototype of all objects.
	return Object.hasOwn(MAKERS, name);
}

/** Returns each module, created when it is first requested. */
export function builtinModules(runtime: Runtime): (name: string) => unknown {
	const made = new Map<string, unknown>();
	const get = (name: string): unknown => {
		if (made.has(name)) return made.get(name);
		const make = Object.hasOwn(MAKERS, name) ? MAKERS[name] : undefined;
		if (!make) throw unknownBuiltin(name);
		const module = make(runtime, get);
		addAbsent(name, module);
		made.set(name, module);
		return module;
	};
	return get;
}
