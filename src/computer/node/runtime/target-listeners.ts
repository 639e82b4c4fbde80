type Add = EventTarget['addEventListener'];
type Remove = EventTarget['removeEventListener'];
type Listener = NonNullable<Parameters<Add>[1]>;

interface Registered {
	type: string;
	listener: Listener;
	capture: boolean;
}

const registered = new WeakMap<EventTarget, Registered[]>();
const followed = new WeakSet<object>();

/** `events.getEventListeners` of an event target, in the order they were added. */
export function listenersOf(target: EventTarget, type: string): Listener[] {
	return (registered.get(target) ?? []).filter((one) => one.type === type).map(({ listener }) => listener);
}

/** Records listeners added to the browser's event targets, which cannot be queried for them. */
export function followTargets(prototype: EventTarget): void {
	if (followed.has(prototype)) return;
	followed.add(prototype);
	const add = prototype.addEventListener as Add;
	const remove = prototype.removeEventListener as Remove;
	const methods = {
		addEventListener(this: EventTarget, ...args: Parameters<Add>): void {
			const [type, listener, options] = args;
			if (listener !== null && typeof options === 'object' && !options.signal?.aborted) {
				// Before the listener, which may stop the event.
				const { once = false, signal } = options;
				if (once) add.call(this, type, () => forget(this, args), { once, capture: capturesOf(options) });
				if (signal) add.call(signal, 'abort', () => forget(this, args), { once: true });
			}
			add.apply(this, args);
			note(this, args);
		},
		removeEventListener(this: EventTarget, ...args: Parameters<Remove>): void {
			remove.apply(this, args);
			forget(this, args);
		}
	};
	for (const [name, value] of Object.entries(methods))
		Object.defineProperty(prototype, name, { value, writable: true, enumerable: true, configurable: true });
}

const capturesOf = (options: Parameters<Add>[2]) =>
	typeof options === 'object' ? options.capture === true : !!options;

function note(target: EventTarget, [type, listener, options]: Parameters<Add>): void {
	if (!listener || (typeof options === 'object' && options.signal?.aborted)) return;
	const all = registered.get(target) ?? [];
	registered.set(target, all);
	if (indexIn(all, type, listener, options) < 0)
		all.push({ type: String(type), listener, capture: capturesOf(options) });
}

function forget(target: EventTarget, [type, listener, options]: Parameters<Remove>): void {
	const all = registered.get(target);
	const at = all && listener ? indexIn(all, type, listener, options) : -1;
	if (at >= 0) all?.splice(at, 1);
}

/** Index of a listener: identified by type, function and phase. */
function indexIn(all: Registered[], type: string, listener: Listener, options: Parameters<Add>[2]): number {
	const capture = capturesOf(options);
	return all.findIndex((one) => one.type === String(type) && one.listener === listener && one.capture === capture);
}
