import { decode, encode } from '../bytes.ts';

/**
 * Adds a filter to a request of `git-upload-pack`, so that it asks for commits and trees only; returns any other
 * request unchanged.
 */
export function withoutBlobs(request: Uint8Array): Uint8Array {
	const text = decode(request);
	const wants = /^[0-9a-f]{4}(want [0-9a-f]{40}[^\n]*)\n/.exec(text);
	if (!wants?.[1]) return request;
	let end = wants[0].length;
	for (let length = lengthAt(text, end); length > 4; length = lengthAt(text, end)) end += length;
	const rest = text.slice(wants[0].length, end);
	return encode(line(`${wants[1]} filter\n`) + rest + line('filter blob:none\n') + text.slice(end));
}

function lengthAt(text: string, position: number): number {
	return Number.parseInt(text.slice(position, position + 4), 16);
}

function line(content: string): string {
	return (content.length + 4).toString(16).padStart(4, '0') + content;
}
