import { invalidArgument, nodeError, unsupported } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { EventEmitter } from './events.ts';

type Answer = (error: Error | null, result?: object) => void;

const START = 'Profiler.startPreciseCoverage';
const TAKE = 'Profiler.takePreciseCoverage';
/** Commands of coverage tools, besides those two, that have no effect here. */
const QUIET = [
	'Profiler.enable',
	'Profiler.disable',
	'Profiler.stopPreciseCoverage',
	'Runtime.enable',
	'Runtime.disable',
	START
];

const NETWORK_EVENTS = ['requestWillBeSent', 'responseReceived', 'loadingFinished', 'loadingFailed'];

const NO_COVERAGE =
	'A browser tab measures no coverage: the report is empty. Run the tests without coverage to leave it out.';

/**
 * `node:inspector`. A page has no access to the engine: sessions accept the commands of coverage, warn and return no
 * scripts, so that tests run with a coverage tool still run. Other commands fail like unknown ones.
 */
export function createInspector(runtime: Runtime): Record<string, unknown> {
	let hasWarned = false;
	const perform = (method: string): object => {
		if (method === TAKE) return { result: [], timestamp: performance.now() / 1000 };
		if (!QUIET.includes(method)) {
			throw nodeError(Error, 'ERR_INSPECTOR_COMMAND', `Inspector error -32601: '${method}' wasn't found`);
		}
		if (method === START && !hasWarned) runtime.process.emitWarning(NO_COVERAGE);
		hasWarned ||= method === START;
		return {};
	};
	class Session extends EventEmitter {
		#isConnected = false;

		connect(): void {
			if (this.#isConnected) {
				throw nodeError(Error, 'ERR_INSPECTOR_ALREADY_CONNECTED', 'The inspector session is already connected');
			}
			this.#isConnected = true;
		}

		connectToMainThread(): void {
			if (!runtime.thread) throw nodeError(Error, 'ERR_INSPECTOR_NOT_WORKER', 'Current thread is not a worker');
			this.connect();
		}

		disconnect(): void {
			this.#isConnected = false;
		}

		/** @throws ERR_INVALID_ARG_TYPE, ERR_INSPECTOR_NOT_CONNECTED */
		post(method: unknown, params?: unknown, answer?: unknown): unknown {
			if (typeof method !== 'string') throw invalidArgument('method', 'of type string', method);
			const done = [params, answer].find((one): one is Answer => typeof one === 'function');
			if (!this.#isConnected) throw nodeError(Error, 'ERR_INSPECTOR_NOT_CONNECTED', 'Session is not connected');
			let result: object;
			try {
				result = perform(method);
			} catch (error) {
				return done?.(error as Error);
			}
			return done?.(null, result);
		}
	}
	return {
		Session,
		console,
		open: () => {
			throw unsupported('inspector.open()', 'Print with console.log, or open the browser’s developer tools.');
		},
		/** Events of a program's requests, without a front end to show them. */
		Network: Object.fromEntries(NETWORK_EVENTS.map((name) => [name, () => undefined])),
		close: () => undefined,
		url: () => undefined,
		waitForDebugger: () => {
			throw nodeError(Error, 'ERR_INSPECTOR_NOT_ACTIVE', 'Inspector is not active');
		}
	};
}

/** `node:inspector/promises`. */
export function createInspectorPromises(runtime: Runtime): Record<string, unknown> {
	const inspector = createInspector(runtime);
	const { Session } = inspector as { Session: new () => EventEmitter & { post(...args: unknown[]): unknown } };
	return {
		...inspector,
		Session: class extends Session {
			override post(method: string, params?: object): Promise<unknown> {
				return new Promise((resolve, reject) => {
					super.post(method, params, (error: Error | null, result: object) =>
						error ? reject(error) : resolve(result)
					);
				});
			}
		}
	};
}
