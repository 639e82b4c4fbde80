import type { Runtime } from '../../runtime/runtime.ts';
import { EventEmitter } from '../events.ts';
import { pathText, type PathLike } from './arguments.ts';
import type { Stats } from './stats.ts';
import type { SyncCalls } from './sync/index.ts';

const INTERVAL_MS = 200;

/** `fs.watch` and `fs.watchFile`: they look when the volume's generation has changed. */
export function watching(runtime: Runtime, calls: SyncCalls) {
	const watched = new Map<string, { stop(): void }>();

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
			const path = pathText(target);
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
				timer.close();
				watcher.emit('close');
			};
			watcher.ref = () => (timer.ref(), watcher);
			watcher.unref = () => (timer.unref(), watcher);
			return watcher;
		},
		watchFile(target: PathLike, options?: unknown, listener?: unknown) {
			const path = pathText(target);
			const notify = typeof options === 'function' ? options : listener;
			let before = calls.stat(path, { throwIfNoEntry: false });
			const timer = every(() => {
				const after = calls.stat(path, { throwIfNoEntry: false });
				if (signature(before as Stats) === signature(after as Stats)) return;
				if (typeof notify === 'function') Reflect.apply(notify, undefined, [after, before]);
				before = after;
			});
			watched.set(path, { stop: () => timer.close() });
		},
		unwatchFile(target: PathLike) {
			watched.get(pathText(target))?.stop();
			watched.delete(pathText(target));
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
