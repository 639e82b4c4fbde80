import { Buffer } from 'buffer';

/** Block between `BEGIN` and `END` of a label (RFC 7468), with the headers of an encrypted key (RFC 1421). */
export interface PemBlock {
	label: string;
	headers: Readonly<Record<string, string>>;
	bytes: Uint8Array;
}

const BLOCK = /-----BEGIN ([^\r\n]*?)-----[ \t]*\r?\n([^]*?)-----END \1-----/g;

/** Finds the first block with one of the labels; null if there is none. */
export function findPem(text: string, labels: readonly string[]): PemBlock | null {
	for (const [, label = '', body = ''] of text.matchAll(BLOCK)) {
		if (!labels.includes(label)) continue;
		const [head, data] = body.includes(':') ? splitHeaders(body) : ['', body];
		return { label, headers: headersOf(head), bytes: Buffer.from(data, 'base64') };
	}
	return null;
}

/** An empty line ends the headers. */
function splitHeaders(body: string): [head: string, data: string] {
	const end = /\r?\n[ \t]*\r?\n/.exec(body);
	return end ? [body.slice(0, end.index), body.slice(end.index)] : [body, ''];
}

const headersOf = (head: string): Record<string, string> =>
	Object.fromEntries(
		head
			.split(/\r?\n/)
			.map((line) => /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(line)?.slice(1))
			.filter((pair): pair is [string, string] => pair !== undefined)
	);

const LINE = 64;

export function writePem(label: string, bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}): string {
	const lines = Buffer.from(bytes)
		.toString('base64')
		.match(new RegExp(`.{1,${LINE}}`, 'g'));
	const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	const all = [...(head.length > 0 ? [...head, ''] : []), ...(lines ?? [])];
	return [`-----BEGIN ${label}-----`, ...all, `-----END ${label}-----`, ''].join('\n');
}
