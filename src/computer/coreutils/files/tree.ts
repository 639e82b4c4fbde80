import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, utility } from '../options.ts';

/** `tree`, drawn in ASCII as in the C locale, or with lines on a terminal. */
export const tree = utility(
	'a d f i L= I= P= noreport dirsfirst s h p D t r prune gitignore matchdirs filelimit= charset= n C o= fromfile u g F du sort=? filesfirst',
	async (call, options) => {
		let [directories, files, status] = [0, 0, 0];
		const kernel = call.shell.descriptors.get(1)?.kernel;
		const fine = kernel !== undefined && call.shell.host.context.sync.isTerminal(kernel);
		const [branch, corner, pipe] = fine ? ['├── ', '└── ', '│   '] : ['|-- ', '`-- ', '|   '];
		const depth = options.number('L', Infinity);
		const { sync } = call.shell.host.context;
		let text = '';
		const below = (path: string, shown: string, indent: string, level: number) => {
			if (level > depth) return;
			const entries = entriesOf(call, path, options);
			for (const [index, { name, kind }] of entries.entries()) {
				const last = index === entries.length - 1;
				const target = kind === 'symlink' ? ` -> ${sync.readlink(`${path}/${name}`)}` : '';
				const label = options.has('f') ? `${shown}/${name}` : name;
				text += `${options.has('i') ? '' : indent + (last ? corner : branch)}${label}${target}\n`;
				if (kind === 'directory') {
					directories++;
					below(`${path}/${name}`, `${shown}/${name}`, indent + (last ? '    ' : pipe), level + 1);
				} else files++;
			}
		};
		for (const name of options.operands.length ? options.operands : ['.']) {
			const path = call.shell.path(name);
			if (sync.statOrNull(path)?.kind !== 'directory') {
				text += `${name}  [error opening dir]\n`;
				status = 2;
				continue;
			}
			text += `${name}\n`;
			directories++;
			below(path, name.replace(/\/$/, ''), '', 1);
		}
		const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
		if (!options.has('noreport'))
			text += `\n${plural(directories, 'directory', 'directories')}${options.has('d') ? '' : `, ${plural(files, 'file', 'files')}`}\n`;
		await call.out(text);
		return status;
	}
);

function entriesOf(call: Call, path: string, options: Options) {
	const patterns = (option: string) =>
		options
			.all(option)
			.flatMap((text) => text.split('|'))
			.map((glob) => globRegExp(glob.replace(/\/$/, '')));
	const [ignored, wanted] = [patterns('I'), patterns('P')];
	const entries = call.shell.host.context.sync
		.readdir(path)
		.filter(({ name }) => options.has('a') || !name.startsWith('.'))
		.filter(({ kind }) => !options.has('d') || kind === 'directory')
		.filter(({ name }) => !ignored.some((one) => one.test(name)))
		.filter(({ name, kind }) => kind === 'directory' || wanted.length === 0 || wanted.some((one) => one.test(name)))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
	if (options.has('dirsfirst')) entries.sort((a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory'));
	return options.has('r') ? entries.reverse() : entries;
}
