/**
 * Runs inside a displayed document before any of its own scripts and disables two features that no header disables in
 * every browser. This is not a security boundary: a script can get the originals back from a frame that it creates. It
 * keeps harmless code from leaking data by accident.
 *
 * - WebRTC, which Content-Security-Policy does not cover.
 * - Cookies of the browser: previews on ports of one host share them with each other and with the page. The document
 *   gets its own cookies, kept in the storage of its origin.
 *
 * Its source text is sent, so it uses nothing from outside itself.
 */
export function guard(): void {
	for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'cookieStore'])
		if (name in window) Object.defineProperty(window, name, { value: undefined, configurable: true, writable: true });
	// An opaque origin has neither cookies nor storage.
	if (window.origin === 'null') return;
	const KEY = 'sandglass:cookies';
	const read = (): Record<string, string> => {
		try {
			return { ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
		} catch {
			return {};
		}
	};
	Object.defineProperty(Document.prototype, 'cookie', {
		configurable: true,
		enumerable: true,
		get: () =>
			Object.entries(read())
				.map(([name, value]) => `${name}=${value}`)
				.join('; '),
		set(given: unknown) {
			const [pair = '', ...attributes] = String(given)
				.split(';')
				.map((part) => part.trim());
			const equals = pair.indexOf('=');
			if (equals < 1) return;
			const cookies = read();
			const attribute = (name: string): string | undefined =>
				attributes.find((each) => each.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
			const age = attribute('max-age');
			const ends = age === undefined ? Date.parse(attribute('expires') ?? '') : Date.now() + Number(age) * 1000;
			if (ends <= Date.now()) delete cookies[pair.slice(0, equals)];
			else cookies[pair.slice(0, equals)] = pair.slice(equals + 1);
			localStorage.setItem(KEY, JSON.stringify(cookies));
		}
	});
}

/** Source of the guard for the top of a displayed document. */
export const guardScript = (): string => `<script>(${guard.toString()})()</script>`;
