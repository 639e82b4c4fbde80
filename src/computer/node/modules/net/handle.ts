/** Part of a native handle that packages read. */
export interface Handle {
	readonly fd: number;
	ref(): void;
	unref(): void;
	hasRef(): boolean;
	getAsyncId(): number;
	setNoDelay(isOn: boolean): void;
	setKeepAlive(isOn: boolean, seconds: number): void;
	close(): void;
}

/** Server or connection of a handle. */
interface Owner {
	_descriptor: number | null;
	_referenced: boolean;
	ref(): unknown;
	unref(): unknown;
	close?(): unknown;
	destroy?(): unknown;
}

const handles = new WeakMap<Owner, Handle>();

/** Handle of a server or of a connection, always the same object. */
export function handleOf(owner: Owner): Handle {
	const known = handles.get(owner);
	if (known) return known;
	const made: Handle = {
		/** -1 while connecting. */
		get fd() {
			return owner._descriptor ?? -1;
		},
		ref: () => void owner.ref(),
		unref: () => void owner.unref(),
		hasRef: () => owner._referenced,
		getAsyncId: () => owner._descriptor ?? -1,
		setNoDelay: () => undefined,
		setKeepAlive: () => undefined,
		close: () => void (owner.close ?? owner.destroy)?.call(owner)
	};
	handles.set(owner, made);
	return made;
}
