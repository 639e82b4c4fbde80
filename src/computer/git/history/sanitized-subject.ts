/** Converts the first line of a subject to a part of a file name: `Fix-the-door`. */
export function sanitizedSubject(subject: string): string {
	const [line = ''] = subject.split('\n', 1);
	return line
		.replace(/[^A-Za-z0-9._]+/g, '-')
		.replace(/\.{2,}/g, '.')
		.replace(/^-/, '')
		.replace(/[-.]+$/, '');
}
