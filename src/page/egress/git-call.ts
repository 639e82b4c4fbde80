/** One request of git's smart HTTP protocol (https://git-scm.com/docs/http-protocol). */
export interface GitCall {
	/** Origin and path of the repository, exactly as it is asked for: a token belongs to this. */
	repository: string;
	access: 'read' | 'push';
	/** `refs` lists what the repository has; `pack` transfers. */
	step: 'refs' | 'pack';
}

const CALL = /^(\/.+)\/(info\/refs|git-upload-pack|git-receive-pack)$/;
/** Hosts differ in what they make of these, so they name no repository that can be shown to the user. */
const AMBIGUOUS = /%(2[ef]|5c|00)|\/\/|\\/i;

/**
 * The git call that a request is, in the one form that git itself sends. Any other spelling is none, gets no token, and
 * goes out as an ordinary request.
 */
export function parseGitCall(method: string, url: URL): GitCall | null {
	const [, path, end] = CALL.exec(url.pathname) ?? [];
	if (path === undefined || AMBIGUOUS.test(path)) return null;
	const repository = url.origin + path;
	if (end === 'info/refs') {
		if (method !== 'GET') return null;
		if (url.search === '?service=git-upload-pack') return { repository, access: 'read', step: 'refs' };
		if (url.search === '?service=git-receive-pack') return { repository, access: 'push', step: 'refs' };
		return null;
	}
	if (method !== 'POST' || url.search !== '') return null;
	return { repository, access: end === 'git-upload-pack' ? 'read' : 'push', step: 'pack' };
}

/** Returns true if a host might treat a request as a push, however it is spelled. */
export function mayBePush(method: string, url: URL): boolean {
	return method !== 'GET' && method !== 'HEAD' && /git-receive-pack[/\s\0]*$/i.test(decoded(url.pathname));
}

/** The repository that git asks when it is given this address. */
export function repositoryAt(address: string): string {
	const { origin, pathname } = new URL(address);
	return origin + pathname.replace(/\/+$/, '');
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
