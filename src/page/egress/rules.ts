/** What the page refuses without asking; the server's guard checks every address again. */
export interface EgressRules {
	/** Our own host: code in the sandbox gets nothing of it. */
	ownHost: string;
	/** `host:port` of private addresses that the operator lets through. */
	allowedPrivate: readonly string[];
}

const PRIVATE =
	/^(localhost\.?|.*\.localhost\.?|.*\.internal|.*\.local|0|0\.0\.0\.0|127(\.\d+)*|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|169\.254\.\d+\.\d+|\[::\]|\[::1\]|\[f[cd].*|\[fe[89ab].*|\[::ffff:.*)$/i;

/** Why a request may not leave, as a sentence; `null` when it may be asked about. */
export function refusal(address: string, { ownHost, allowedPrivate }: EgressRules): string | null {
	if (!URL.canParse(address)) return `${address} is not an address.`;
	const url = new URL(address);
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		return `Only http and https leave the sandbox, not ${url.protocol}`;
	if (url.username !== '' || url.password !== '') return 'Addresses with a password in them do not leave the sandbox.';
	if (url.host === ownHost) return 'The sandbox cannot reach the server this page comes from.';
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	const named = allowedPrivate.includes(url.host) || allowedPrivate.includes(`${url.hostname}:${port}`);
	if (!named && PRIVATE.test(url.hostname))
		return `${url.host} is a private address. An operator can allow it in SANDGLASS_ALLOW_HOSTS.`;
	return null;
}
