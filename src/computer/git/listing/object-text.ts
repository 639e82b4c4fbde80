/** Parts of a tag or commit as binary text. */
export interface ObjectText {
	/** Value of the first header of that name. */
	header(name: string): string | undefined;
	headers(name: string): string[];
	/** Message including the signature below it. */
	message: string;
	/** First paragraph as written. */
	subject: string;
	/** Rest of the message including the signature. */
	body: string;
	/** Length of the message without the signature. */
	unsignedLength: number;
	/** Start of the body in the message. */
	bodyStart: number;
	signature: string;
}

const SIGNATURE_STARTS = [
	'-----BEGIN PGP SIGNATURE-----',
	'-----BEGIN PGP MESSAGE-----',
	'-----BEGIN SIGNED MESSAGE-----',
	'-----BEGIN SSH SIGNATURE-----'
];

/** Splits the content of a tag or a commit. */
export function objectText(content: string): ObjectText {
	const gap = content.indexOf('\n\n');
	const lines = (gap < 0 ? content : content.slice(0, gap)).split('\n');
	const message = gap < 0 ? '' : content.slice(gap + 2).replace(/^\n+/, '');
	const headers = (name: string) =>
		lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
	const unsigned = signatureStart(message);
	const end = /\n\n|\r\n\r\n/.exec(message)?.index ?? unsigned;
	const subjectEnd = Math.min(end, unsigned);
	const bodyStart = subjectEnd + (/^[\r\n]*/.exec(message.slice(subjectEnd))?.[0].length ?? 0);
	return {
		header: (name) => headers(name)[0],
		headers,
		message,
		subject: message.slice(0, subjectEnd).replace(/[\r\n]+$/, ''),
		body: message.slice(bodyStart),
		unsignedLength: Math.max(unsigned, bodyStart),
		bodyStart,
		signature: message.slice(unsigned)
	};
}

function signatureStart(message: string): number {
	let at = message.length;
	for (let start = 0; start < message.length;) {
		if (SIGNATURE_STARTS.some((text) => message.startsWith(text, start))) at = start;
		const end = message.indexOf('\n', start);
		start = end < 0 ? message.length : end + 1;
	}
	return at;
}
