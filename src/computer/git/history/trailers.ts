import type { Repository } from '../repository.ts';

/** `Signed-off-by:` line of the committer. */
export function signOff(repository: Repository): string {
	const { name, email } = repository.committer();
	return `Signed-off-by: ${name} <${email}>`;
}

export const signedOff = (repository: Repository, message: string): string =>
	withTrailer(message, signOff(repository), configuredTrailers(repository));

/** Adds the sign-off, unless the committer has signed off already. */
export function signedOnce(repository: Repository, message: string): string {
	const line = signOff(repository);
	const text = message.trimEnd();
	if (text === '') return `\n\n${line}\n`;
	const last = text.slice(text.lastIndexOf('\n\n') + 2).split('\n');
	const isSigned = text.includes('\n\n') && areTrailers(last, configuredTrailers(repository)) && last.includes(line);
	return isSigned ? message : signedOff(repository, message);
}

/** Creates a test whether `trailer.<name>.*` is set for a name. */
export function configuredTrailers({ config }: Repository): (name: string) => boolean {
	const names = config.subsections('trailer').map((name) => name.toLowerCase());
	return (name) => names.includes(name.toLowerCase());
}

/** Lines that identify a trailer paragraph even if it has other lines. */
const MADE_BY_GIT = /^(?:Signed-off-by: |\(cherry picked from commit )/;

/**
 * Adds a line to the last paragraph if that consists of trailers, otherwise as a new paragraph. Does nothing if
 * it is the last line already.
 *
 * @param isConfigured returns whether there are settings for a trailer name
 */
export function withTrailer(
	message: string,
	trailer: string,
	isConfigured: (name: string) => boolean = () => false
): string {
	const text = message.trimEnd();
	if (text.endsWith(`\n${trailer}`)) return message;
	const gap = text.lastIndexOf('\n\n');
	const last = gap < 0 ? [] : text.slice(gap + 2).split('\n');
	return `${text}${areTrailers(last, isConfigured) ? '\n' : '\n\n'}${trailer}\n`;
}

/**
 * Returns whether the lines of a paragraph are trailers, with few others among them.
 *
 * @param separators characters allowed after a name
 */
export function areTrailers(
	lines: readonly string[],
	isConfigured: (name: string) => boolean,
	separators = ':'
): boolean {
	let trailers = 0;
	let others = 0;
	let isKnown = false;
	for (const line of lines) {
		const [, found, mark = ''] = /^([A-Za-z0-9-]+)\s*(\W)/.exec(line) ?? [];
		const name = separators.includes(mark) ? found : undefined;
		isKnown ||= MADE_BY_GIT.test(line) || (name !== undefined && isConfigured(name));
		if (name !== undefined || MADE_BY_GIT.test(line)) trailers++;
		else if (!/^\s/.test(line) || trailers === 0) others++;
	}
	return trailers > 0 && (others === 0 || (isKnown && trailers * 3 >= others));
}
