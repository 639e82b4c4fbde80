/**
 * Parses port and path of a URL on a server of this computer.
 * @throws Error if it is not a URL, or is elsewhere
 */
export function serverAddress(
	url: string,
	baseURL: string | undefined
): { port: number; target: string; href: string } {
	if (!URL.canParse(url, baseURL))
		throw new Error(
			`page.goto: Protocol error (Page.navigate): Cannot navigate to invalid URL\nCall log:\n  - navigating to "${url}", waiting until "load"\n`
		);
	const { protocol, hostname, port, pathname, search, hash, href } = new URL(url, baseURL);
	if (!/^https?:$/.test(protocol) || !/^(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/.test(hostname))
		throw new Error(
			`page.goto: ${href} is not on this computer. In a browser tab, tests open servers of the project only, such as http://localhost:5173.`
		);
	return { port: Number(port || (protocol === 'https:' ? 443 : 80)), target: pathname + search + hash, href };
}

export function base64Bytes(text: string): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
