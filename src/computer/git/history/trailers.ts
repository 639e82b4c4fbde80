import type { Repository } from '../repository.ts';

/** `Signed-off-by:` and who commits. */
export function signOff(repository: Repository): string {
	const { name, email } = repository.committer();
	return `Signed-off-by: ${name} <${email}>`;
}

export const signedOff = (repository: Repository, message: string): string => withTrailer(message, signOff(repository));

/**
 * Adds a line to the last paragraph if that consists of trailers, else as a new paragraph. Does nothing if it
 * already exists.
 */
export function withTrailer(message: string, trailer: string): string {
	const text = message.trimEnd();
	if (text.split('\n').includes(trailer)) return message;
	const gap = text.lastIndexOf('\n\n');
	const last = gap < 0 ? [] : text.slice(gap + 2).split('\n');
	const follows = last.length > 0 && last.every((line) => /^([\w-]+: |\(cherry picked from commit )/.test(line));
	return `${text}${follows ? '\n' : '\n\n'}${trailer}\n`;
}
