import type { PyodideInterface } from 'pyodide';
import type { PyCallable } from 'pyodide/ffi';
import type { ProcessContext } from '#computer/process/program.ts';
import type { PrepareMessage } from '#computer/abi/wire.ts';
import { bridge } from './bridge.ts';
import { mountVolume } from './filesystem/mount.ts';
import { fate, loadInterpreter } from './load.ts';
import { connectSignals } from './signals.ts';
import { connectStreams } from './streams.ts';

const NOTICE = 'Loading Python (16 MB, once) …';

let settle: { resolve: (python: PyodideInterface) => void; reject: (error: Error) => void };
const interpreter = new Promise<PyodideInterface>((resolve, reject) => (settle = { resolve, reject }));
interpreter.catch(() => {
	// Callers that run something receive the failure; a spare worker that failed to load is never used.
});

/** Receives Python's parts and starts the interpreter, so that a spare worker has it running when needed. */
export function prepare(message: PrepareMessage): void {
	if ('failed' in message) settle.reject(new Error(message.failed));
	else loadInterpreter(message.prepared).then(settle.resolve, settle.reject);
}

/** The program `python3`. Options and exit codes are CPython's. */
export async function python(context: ProcessContext): Promise<number> {
	const loaded = await withNotice(context);
	if (!loaded) return 1;
	const interrupts = connectSignals(loaded, context);
	connectStreams(loaded, context);
	mountVolume(loaded, context);
	loaded.registerJsModule('_sandglass_calls', bridge(loaded, context, interrupts));
	const { argv, cwd, env } = context;
	const main = loaded.pyimport('_sandglass.main') as { start: PyCallable };
	const described = JSON.stringify({ argv, cwd, env });
	// With stack switching, the program's threads can take turns.
	try {
		return await ((
			'Suspending' in WebAssembly ? main.start.callPromising(described) : main.start(described)
		) as Promise<number>);
	} catch (error) {
		throw fate.error ? new Error(`The interpreter ended by a fault of its own: ${fate.error.message}`) : error;
	}
}

/** Waits for the interpreter; a user at a terminal sees why the first start takes a moment. */
async function withNotice({ async, sync }: ProcessContext): Promise<PyodideInterface | null> {
	const write = (text: string) => sync.write(2, new TextEncoder().encode(text));
	let shown = false;
	const timer = setTimeout(() => {
		shown = sync.isTerminal(2);
		if (shown) write(NOTICE);
	}, 300);
	try {
		return await interpreter;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		await async.write(2, new TextEncoder().encode(`python3: Python could not be loaded: ${reason}\n`));
		return null;
	} finally {
		clearTimeout(timer);
		if (shown) write('\r\x1b[K');
	}
}
