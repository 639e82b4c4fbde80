import { fatal } from '../errors.ts';

/**
 * Directory for a clone, by its address: the last part of the path, or else the host.
 *
 * @throws GitError if the address has neither
 */
export function directoryFor(address: string, isBare: boolean): string {
	const name = lastPart(address.replace(/^[^:/]*:\/\//, '').replace(/^[^/]*@/, ''))
		.replace(/[\0- ]+/g, ' ')
		.trim();
	if (name === '') throw fatal('No directory name could be guessed.\nPlease specify a directory on the command line');
	return isBare ? `${name}.git` : name;
}

function lastPart(path: string): string {
	const trimmed = path.replace(/[\s/]+$/, '').replace(/(.)\/+\.git$/s, '$1');
	// A number at the end is a port only if there is nothing but a host.
	const whole = trimmed.includes('/') ? trimmed : trimmed.replace(/:\d*$/, '');
	const part = whole.slice(Math.max(whole.lastIndexOf('/'), whole.lastIndexOf(':')) + 1);
	return part.replace(/\.(?:git|bundle)$/, '');
}
