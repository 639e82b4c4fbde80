import posix from 'path';
import picomatch from 'picomatch';
import type { Runtime } from '../../runtime/runtime.ts';
import { Dirent } from './stats.ts';

interface GlobOptions {
	cwd?: string;
	exclude?: (entry: string | Dirent) => boolean;
	withFileTypes?: boolean;
}

/**
 * `fs.globSync`: entries below a directory that match one of the patterns; hidden names only if the pattern names them.
 */
export function globSync(runtime: Runtime, pattern: string | string[], options: GlobOptions = {}): (string | Dirent)[] {
	const { cwd = '.', exclude = () => false, withFileTypes = false } = options;
	const root = runtime.resolvePath(cwd);
	const patterns = [pattern].flat().map((each) => each.replace(/^(\.\/)+/, ''));
	const relative = picomatch(patterns.filter((each) => !each.startsWith('/')));
	const absolute = picomatch(patterns.filter((each) => each.startsWith('/')));
	const found: (string | Dirent)[] = patterns.some((each) => each === '**') ? ['.'] : [];
	const left: string[] = [];
	for (const { path, stat } of runtime.sys.walk(root)) {
		const whole = path.startsWith('/') ? path : `${root}/${path}`;
		const name = posix.relative(root, whole);
		if (name === '' || left.some((directory) => name.startsWith(`${directory}/`))) continue;
		const shown = relative(name) ? name : absolute(whole) ? whole : null;
		const entry = new Dirent(posix.basename(name), posix.dirname(name), stat.kind);
		if (exclude(withFileTypes ? entry : posix.basename(name))) left.push(name);
		else if (shown !== null) found.push(withFileTypes ? entry : shown);
	}
	return found;
}
