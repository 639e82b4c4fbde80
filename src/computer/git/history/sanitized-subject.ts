/** Converts a subject to part of a file name, such as `Fix-the-parser`. */
export function sanitizedSubject(subject: string): string {
	const [line = ''] = subject.split('\n', 1);
	return line
		.replace(/[^A-Za-z0-9._]+/g, '-')
		.replace(/\.{2,}/g, '.')
		.replace(/^-/, '')
		.replace(/[-.]+$/, '');
}
