import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** Forms in which the editor can show a file. Sizes are in bytes. */
export type FileContent =
	| { kind: 'text'; text: string; size: number }
	| { kind: 'image'; url: string; size: number }
	| { kind: 'pdf'; size: number }
	| { kind: 'binary'; size: number }
	| { kind: 'too_large'; size: number }
	| { kind: 'gone' };

/** Larger files are not opened: typing in them would be slow. */
export const EDITOR_LIMIT_BYTES = 1024 * 1024;

const IMAGES: Record<string, string> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp'
};

/** Reads a file for display; if it cannot be shown, returns its kind and size. */
export async function readForEditor(environment: ExecutionEnvironment, path: string): Promise<FileContent> {
	try {
		const { size } = await environment.stat(path);
		const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
		// A program reads it page by page.
		if (ending === 'pdf') return { kind: 'pdf', size };
		const type = IMAGES[ending];
		if (size > EDITOR_LIMIT_BYTES) return { kind: 'too_large', size };
		const bytes = await environment.readBytes(path);
		if (type) return { kind: 'image', url: URL.createObjectURL(new Blob([bytes.slice()], { type })), size };
		const text = decode(bytes);
		return text === null ? { kind: 'binary', size } : { kind: 'text', text, size };
	} catch (error) {
		if (isEnvironmentError(error) && error.code === 'ENOENT') return { kind: 'gone' };
		throw error;
	}
}

/** Decodes UTF-8; `null` if the bytes are not valid text. */
export function decode(bytes: Uint8Array): string | null {
	if (bytes.subarray(0, 8000).includes(0)) return null;
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return null;
	}
}
