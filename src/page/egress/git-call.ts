/** A request of git's smart HTTP protocol (https://git-scm.com/docs/http-protocol). */
export interface GitCall {
	/** Origin and path of the repository, exactly as requested: tokens belong to this. */
	repository: string;
	access: 'read' | 'push';
	/** `refs` lists the repository's refs; `pack` transfers objects. */
	step: 'refs' | 'pack';
}

const CALL = /^(\/.+)\/(info\/refs|git-upload-pack|git-receive-pack)$/;
/** Hosts interpret these differently, so they cannot identify a repository to the user. */
const AMBIGUOUS = /%(2[ef]|5c|00)|\/\/|\\/i;

/**
 * Parses a git call, in the exact form that git itself sends. Any other spelling is not a git call, gets no token, and
 * is sent as an ordinary request.
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

/** Returns true if a host might treat a request as a push, whatever its spelling. */
export function mayBePush(method: string, url: URL): boolean {
	return method !== 'GET' && method !== 'HEAD' && /git-receive-pack[/\s\0]*$/i.test(decoded(url.pathname));
}

/** Repository that git contacts for this URL. */
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
