import { decode, encode } from '#computer/process/text.ts';

/**
 * A directory name that represents `/`. WASI programs access only preopened directories, here the working
 * directory; their C library drops a leading slash, so `/workspace/src` would become `workspace/src`.
 */
export const ROOT = 'absolute-path-of-the-sandbox:';

/** Rewrites an argument that is an absolute path of the volume so that the WASI program can open it. */
export const markAbsolute = (arg: string) => (/^\/(workspace|tmp|home|usr)(\/|$)/.test(arg) ? ROOT + arg : arg);

/** Restores the paths in the output as the user wrote them. */
export function restoreRoot(bytes: Uint8Array): Uint8Array {
	const text = decode(bytes);
	return text.includes(ROOT) ? encode(text.replaceAll(ROOT, '')) : bytes;
}
