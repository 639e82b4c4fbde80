/**
 * Runs inside a shown document before any script of its own and takes away two things that no header takes from it in
 * every browser. This is no wall: a script can get the originals back from a frame that it makes. It keeps code that
 * means no harm from leaking.
 *
 * - WebRTC, which Content-Security-Policy does not know.
 * - Cookies of the browser: previews on ports of one host share them with each other and with the page. The document
 *   gets cookies of its own, kept in the storage of its origin.
 *
 * Its own text is what is sent, so it uses nothing from outside itself.
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
