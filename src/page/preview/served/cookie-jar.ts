interface Cookie {
	name: string;
	value: string;
	path: string;
	/** Milliseconds since the epoch; `Infinity` until the preview is closed. */
	expires: number;
}

/**
 * Cookies of one server in the sandbox: a service worker can neither set nor read cookies, so they are stored
 * here.
 */
export class CookieJar {
	#cookies = new Map<string, Cookie>();

	/** @param header one `Set-Cookie` value. @param target request that it answers */
	set(header: string, target: string): void {
		const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
		const equals = pair.indexOf('=');
		if (equals < 1) return;
		const folder = target.replace(/[?#].*$/, '').replace(/\/[^/]*$/, '') || '/';
		const cookie: Cookie = {
			name: pair.slice(0, equals),
			value: pair.slice(equals + 1),
			path: folder,
			expires: Infinity
		};
		let hasAge = false;
		for (const attribute of attributes) {
			const [name = '', value = ''] = attribute.split(/=(.*)/s);
			if (/^path$/i.test(name) && value.startsWith('/')) cookie.path = value;
			else if (/^max-age$/i.test(name) && /^-?\d+$/.test(value)) {
				hasAge = true;
				cookie.expires = Date.now() + Number(value) * 1000;
			} else if (/^expires$/i.test(name) && !hasAge && !Number.isNaN(Date.parse(value)))
				cookie.expires = Date.parse(value);
		}
		this.#cookies.set(`${cookie.path} ${cookie.name}`, cookie);
	}

	/** Value of `Cookie` for a request; empty if there are no cookies. */
	header(target: string): string {
		const path = target.replace(/[?#].*$/, '');
		return [...this.#cookies.values()]
			.filter(({ expires }) => expires > Date.now())
			.filter((cookie) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
			.sort((a, b) => b.path.length - a.path.length)
			.map(({ name, value }) => `${name}=${value}`)
			.join('; ');
	}
}
