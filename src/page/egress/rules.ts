/** Rules by which the page refuses requests without asking; the server's guard checks every address again. */
export interface EgressRules {
	/** Our own host: code in the sandbox must not reach it. */
	ownHost: string;
	/** `host:port` of private addresses that the operator allows. */
	allowedPrivate: readonly string[];
}

/** Names for use within networks and machines. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;
/**
 * IPv4 addresses that are not public hosts (RFC 6890), and Azure's platform service for virtual machines. `URL`
 * normalizes them all.
 */
const PRIVATE_IPV4 = new RegExp(
	`^(${[
		/0|10|127|22[4-9]|2[345]\d/.source,
		/100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])/.source,
		/169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|198\.1[89]/.source,
		/192\.0\.[02]|192\.88\.99|198\.51\.100|203\.0\.113/.source,
		/168\.63\.129\.16$/.source
	].join('|')})(\\.|$)`
);
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
/** Only 2000::/3 is public, except Teredo, documentation and ORCHID (2001:0 to 2001:db8) and 6to4. */
const PUBLIC_IPV6 = /^\[[23][0-9a-f]{3}:/;
const SPECIAL_IPV6 = /^\[(2001:(:|0?[0-9a-f]{0,2}:|db8:)|2002:|3fff:)/;

function isPrivate(hostname: string): boolean {
	if (hostname.startsWith('[')) return !PUBLIC_IPV6.test(hostname) || SPECIAL_IPV6.test(hostname);
	return IPV4.test(hostname) ? PRIVATE_IPV4.test(hostname) : PRIVATE_NAME.test(hostname);
}

/** Reason why a request must not leave, as a sentence; `null` if the user may be asked. */
export function refusal(address: string, { ownHost, allowedPrivate }: EgressRules): string | null {
	if (!URL.canParse(address)) return `${address} is not an address.`;
	const url = new URL(address);
	if (url.protocol !== 'http:' && url.protocol !== 'https:')
		return `Only http and https leave the sandbox, not ${url.protocol}`;
	if (url.username !== '' || url.password !== '') return 'Addresses with a password in them do not leave the sandbox.';
	if (url.host === ownHost) return 'The sandbox cannot reach the server this page comes from.';
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	const named = allowedPrivate.includes(url.host) || allowedPrivate.includes(`${url.hostname}:${port}`);
	if (!named && isPrivate(url.hostname))
		return `${url.host} is a private address. An operator can allow it in SANDGLASS_ALLOW_HOSTS.`;
	return null;
}
