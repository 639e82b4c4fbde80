import type { WireRequest } from '#computer/abi/syscalls.ts';
import type { SmartRequest } from './remote-address.ts';

/** Base URL of a repository before and after a redirect of `info/refs`, which git itself follows in the same way. */
export class HttpRoute {
	#moved: { from: string; to: string } | null = null;

	/** Request for the page, to where the repository has moved. */
	request({ url, method, headers, body }: SmartRequest): WireRequest {
		const moved = this.#moved;
		return {
			method,
			url: moved && url.startsWith(moved.from) ? moved.to + url.slice(moved.from.length) : url,
			headers: Object.entries(headers),
			body,
			purpose: 'git'
		};
	}

	/** Notes where a request for `info/refs` was redirected to. */
	answered(asked: string, answered: string): void {
		const end = asked.slice(asked.indexOf('/info/refs?') + 1);
		if (asked === answered || !asked.includes('/info/refs?') || !answered.endsWith(`/${end}`)) return;
		this.#moved = { from: asked.slice(0, -end.length), to: answered.slice(0, -end.length) };
	}
}
