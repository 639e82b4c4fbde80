import type { TestFile } from '#environment/preview-testing.ts';

interface FilePayload {
	name: string;
	mimeType: string;
	buffer: Uint8Array;
}

/** Paths of files, or files created by the test. */
export type FilesGiven = string | FilePayload | (string | FilePayload)[];

const TYPES: Readonly<Record<string, string>> = {
	txt: 'text/plain',
	csv: 'text/csv',
	html: 'text/html',
	json: 'application/json',
	pdf: 'application/pdf',
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	svg: 'image/svg+xml'
};

/** @throws Error naming a path that is not a file */
export function filesFor(given: FilesGiven, read: (path: string) => Uint8Array | null): TestFile[] {
	return [given].flat().map((each) => {
		if (typeof each !== 'string') return { name: each.name, type: each.mimeType, content: base64(each.buffer) };
		const bytes = read(each);
		if (!bytes) throw new Error(`ENOENT: no such file or directory, stat '${each}'`);
		const name = each.slice(each.lastIndexOf('/') + 1);
		return { name, type: TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? '', content: base64(bytes) };
	});
}

function base64(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
	return btoa(text);
}
