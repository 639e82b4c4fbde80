import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { invalidArgument } from '../../runtime/errors.ts';
import type { Timeout } from '../../runtime/timers.ts';
import { fsOptions, pathText, type PathLike } from './arguments.ts';
import { Stats } from './stats.ts';
import type { SyncCalls } from './sync/index.ts';

const INTERVAL_MS = 200;

/** `fs.watch` and `fs.watchFile`: they check for changes when the volume's generation has changed. */
export function watching(runtime: Runtime, calls: SyncCalls) {
	const watched = new Map<string, StatWatcher>();

	/** Watcher of one file's state, shared by all its listeners. */
	class StatWatcher extends EventEmitter {
		#before: Stats;
		readonly #timer: Timeout;

		constructor(path: string, isPersistent: boolean) {
			super();
			const state = () => (calls.stat(path, { throwIfNoEntry: false }) as Stats | undefined) ?? Stats.absent();
			this.#before = state();
			// For a missing file, listeners are notified immediately.
			if (this.#before.ino === 0) {
				runtime.loop.perform('StatWatcher', () => void this.emit('change', this.#before, this.#before));
			}
			this.#timer = every(() => {
				const [before, after] = [this.#before, state()];
				if (signature(before) === signature(after)) return;
				this.#before = after;
				this.emit('change', after, before);
			});
			if (!isPersistent) this.unref();
		}

		stop(): void {
			if (this.#timer._destroyed) return;
			this.#timer.close();
			runtime.loop.nextTick(() => this.emit('stop'), []);
		}

		ref(): this {
			this.#timer.ref();
			return this;
		}

		unref(): this {
			this.#timer.unref();
			return this;
		}
	}

	class FSWatcher extends EventEmitter {
		close: () => void = () => {};
		ref: () => this = () => this;
		unref: () => this = () => this;
	}

	const every = (look: () => void) => {
		let generation = runtime.context.generation();
		return runtime.timers.setInterval(() => {
			const now = runtime.context.generation();
			if (now === generation) return;
			generation = now;
			look();
		}, INTERVAL_MS);
	};

	const entries = (path: string, recursive: boolean): Map<string, string> => {
		const stat = calls.stat(path, { throwIfNoEntry: false }) as Stats | undefined;
		if (!stat) return new Map();
		if (!stat.isDirectory()) return new Map([[path.split('/').pop() ?? path, signature(stat)]]);
		const names = calls.readdir(path, { recursive }) as string[];
		return new Map(
			names.map((name) => [
				name,
				signature(calls.stat(`${path}/${name}`, { throwIfNoEntry: false }) as Stats | undefined)
			])
		);
	};

	return {
		FSWatcher,
		watch(target: PathLike, options?: unknown, listener?: unknown) {
			const path = pathText(target, 'filename');
			if (typeof options === 'string') fsOptions(options);
			calls.stat(path);
			const given = typeof options === 'object' && options !== null ? options : {};
			const { recursive = false, persistent = true } = given as { recursive?: boolean; persistent?: boolean };
			const notify = typeof options === 'function' ? options : listener;
			const watcher = new FSWatcher();
			if (typeof notify === 'function') watcher.on('change', (...args) => void Reflect.apply(notify, watcher, args));
			let before = entries(path, recursive);
			const timer = every(() => {
				const after = entries(path, recursive);
				for (const name of new Set([...before.keys(), ...after.keys()])) {
					if (before.get(name) === after.get(name)) continue;
					watcher.emit('change', before.has(name) && after.has(name) ? 'change' : 'rename', name);
				}
				before = after;
			});
			if (!persistent) timer.unref();
			watcher.close = () => {
				if (timer._destroyed) return;
				timer.close();
				runtime.loop.nextTick(() => watcher.emit('close'), []);
			};
			watcher.ref = () => (timer.ref(), watcher);
			watcher.unref = () => (timer.unref(), watcher);
			return watcher;
		},
		watchFile(target: PathLike, options?: unknown, listener?: unknown) {
			const path = runtime.resolvePath(pathText(target));
			const notify = typeof options === 'function' ? options : listener;
			if (typeof notify !== 'function') throw invalidArgument('listener', 'of type function', notify);
			const { persistent = true } = Object(typeof options === 'function' ? {} : options) as { persistent?: boolean };
			const watcher = watched.get(path) ?? new StatWatcher(path, persistent);
			watched.set(path, watcher);
			watcher.on('change', notify as (...args: unknown[]) => void);
			return watcher;
		},
		unwatchFile(target: PathLike, listener?: unknown) {
			const path = runtime.resolvePath(pathText(target));
			const watcher = watched.get(path);
			if (!watcher) return;
			if (typeof listener === 'function') watcher.removeListener('change', listener as () => void);
			else watcher.removeAllListeners('change');
			if (watcher.listenerCount('change') > 0) return;
			watcher.stop();
			watched.delete(path);
		}
	};
}

/** Events of `fs.promises.watch`, until its signal aborts. */
export async function* watchEvents(
	{ watch }: Pick<ReturnType<typeof watching>, 'watch'>,
	path: string,
	options?: { signal?: AbortSignal }
): AsyncGenerator {
	const events: unknown[] = [];
	let wake: () => void = () => {};
	const watcher = watch(path, options ?? {}, (eventType: string, filename: string) => {
		events.push({ eventType, filename });
		wake();
	});
	options?.signal?.addEventListener('abort', () => watcher.close());
	for (;;) {
		while (events.length > 0) yield events.shift();
		await new Promise<void>((resolve) => (wake = resolve));
	}
}

function signature(stat: Stats | undefined): string {
	return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.mode}` : '';
}
