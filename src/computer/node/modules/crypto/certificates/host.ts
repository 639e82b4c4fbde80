/** Options of `checkHost`. */
export interface HostOptions {
	subject?: 'default' | 'always' | 'never';
	wildcards?: boolean;
	partialWildcards?: boolean;
	multiLabelWildcards?: boolean;
	singleLabelSubdomains?: boolean;
}

/** Checks whether a name of a certificate matches a host (RFC 6125, 6.4). */
export function isHost(pattern: string, host: string, options: HostOptions): boolean {
	const [name, wanted] = [pattern.toLowerCase(), host.toLowerCase()];
	// `.example.org` matches any name below it.
	if (wanted.startsWith('.')) return isBelow(name, wanted, options);
	return name === wanted || (options.wildcards !== false && isWildcardFor(name, wanted, options));
}

function isBelow(name: string, suffix: string, { singleLabelSubdomains = false }: HostOptions): boolean {
	if (!name.endsWith(suffix) || name.length === suffix.length) return false;
	return !singleLabelSubdomains || !name.slice(0, -suffix.length).includes('.');
}

function isWildcardFor(pattern: string, host: string, options: HostOptions): boolean {
	const [label = '', ...rest] = pattern.split('.');
	const parts = label.split('*');
	// One wildcard in the first label, before a domain of at least two.
	if (parts.length !== 2 || rest.length < 2 || rest.some((part) => part === '' || part.includes('*'))) return false;
	const [before = '', after = ''] = parts;
	if (before !== '' && after !== '') return false;
	if (label !== '*' && (options.partialWildcards === false || label.startsWith('xn--'))) return false;
	const domain = `.${rest.join('.')}`;
	if (!host.endsWith(domain)) return false;
	const start = host.slice(0, -domain.length);
	if (start === '' || (start.includes('.') && !(options.multiLabelWildcards && label === '*'))) return false;
	if (label !== '*' && start.startsWith('xn--')) return false;
	return start.length >= label.length - 1 && start.startsWith(before) && start.endsWith(after);
}
