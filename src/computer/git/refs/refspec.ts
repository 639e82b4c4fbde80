/** Reference that a refspec makes of another one; null where it does not hold for it. */
export function mappedRef(refspec: string, ref: string): string | null {
	const [from = '', to = from] = refspec.replace(/^\+/, '').split(':');
	if (from.startsWith('^')) return null;
	const star = from.indexOf('*');
	if (star < 0) return fullName(from) === fullName(ref) ? fullName(to) : null;
	const [start, end] = [from.slice(0, star), from.slice(star + 1)];
	if (!ref.startsWith(start) || !ref.endsWith(end) || ref.length < start.length + end.length) return null;
	return to.replace('*', () => ref.slice(start.length, ref.length - end.length));
}

const fullName = (name: string): string => (name.startsWith('refs/') ? name : `refs/heads/${name}`);
