import { UsageError, utility } from '../options.ts';
import { modeOption } from './mode-option.ts';

/** `install`: copies with a mode, or makes directories with `-d`. */
export const install = utility(
	'd|directory m|mode= D v|verbose t|target-directory= p C c o= g= s b',
	async (call, options) => {
		const { shell } = call;
		const { sync } = shell.host.context;
		const mode = modeOption(options.get('m'), 0o755);
		const names = [...options.operands];
		if (options.has('d')) {
			for (const name of names) {
				sync.mkdir(shell.path(name), { recursive: true });
				sync.chmod(shell.path(name), mode);
			}
			return 0;
		}
		const target = options.get('t') ?? names.pop();
		if (target === undefined || names.length === 0) throw new UsageError('missing file operand');
		const into = options.has('t') || sync.statOrNull(shell.path(target))?.kind === 'directory';
		for (const name of names) {
			const to = shell.path(into ? `${target}/${name.split('/').at(-1)}` : target);
			if (options.has('D')) sync.mkdir(to.replace(/\/[^/]*$/, ''), { recursive: true });
			sync.writeFile(to, sync.readFile(shell.path(name)));
			sync.chmod(to, mode);
		}
		return 0;
	}
);
