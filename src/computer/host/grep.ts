import type { GrepOptions } from '#environment/contract.ts';

/** ripgrep's arguments for a search of the contract. */
export function ripgrepArguments(pattern: string, path: string, options: GrepOptions): string[] {
	const args = [
		'rg',
		'--no-config',
		'--color=never',
		'--no-heading',
		'--with-filename',
		'--hidden',
		'--sort=path',
		'--no-require-git',
		'--no-messages'
	];
	const { output = 'content', before, after, globs = [] } = options;
	if (output === 'files') args.push('--files-with-matches');
	else if (output === 'count') args.push('--count');
	else if (options.lineNumbers ?? true) args.push('--line-number');
	else args.push('--no-line-number');
	if (options.caseInsensitive) args.push('--ignore-case');
	if (options.literal) args.push('--fixed-strings');
	if (options.multiline) args.push('--multiline', '--multiline-dotall');
	if (options.onlyMatching) args.push('--only-matching');
	if (before !== undefined) args.push(`--before-context=${before}`);
	if (after !== undefined) args.push(`--after-context=${after}`);
	if (options.type !== undefined) args.push(`--type=${options.type}`);
	// The last matching glob wins: git's own files are excluded whatever the others match.
	for (const glob of [...globs, '!.git']) args.push(`--glob=${glob}`);
	return [...args, '--', pattern, path];
}
