/** The part of a native handle that packages read. */
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

/** A server or a connection: what its handle acts on. */
interface Owner {
	_referenced: boolean;
	ref(): unknown;
	unref(): unknown;
	close?(): unknown;
	destroy?(): unknown;
}

const handles = new WeakMap<Owner, Handle>();

/** Handle of an open descriptor, the same one each time; `null` if there is none. */
export function handleOf(owner: Owner, descriptor: number | null): Handle | null {
	if (descriptor === null) return null;
	const known = handles.get(owner);
	if (known?.fd === descriptor) return known;
	const made: Handle = {
		fd: descriptor,
		ref: () => void owner.ref(),
		unref: () => void owner.unref(),
		hasRef: () => owner._referenced,
		getAsyncId: () => descriptor,
		setNoDelay: () => undefined,
		setKeepAlive: () => undefined,
		close: () => void (owner.close ?? owner.destroy)?.call(owner)
	};
	handles.set(owner, made);
	return made;
}
