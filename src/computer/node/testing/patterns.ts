import type { TestItem } from './item.ts';

/** Creates a filter from `--test-name-pattern`, `--test-skip-pattern` and `--test-only`. */
export function compilePatterns(execArgv: string[]): (item: TestItem) => boolean {
	const all = (flag: string) =>
		execArgv.flatMap((argument, index) => {
			if (argument.startsWith(`${flag}=`)) return [pattern(argument.slice(flag.length + 1))];
			return argument === flag ? [pattern(execArgv[index + 1] ?? '')] : [];
		});
	const names = all('--test-name-pattern');
	const skips = all('--test-skip-pattern');
	const only = execArgv.includes('--test-only');
	const selected = (item: TestItem): boolean => {
		if (item.kind === 'suite' && item.children.length > 0) return item.children.some(selected);
		if (skips.some((skip) => skip.test(item.fullName))) return false;
		if (names.length > 0 && item.kind === 'test') {
			const inside = item.parent?.kind === 'test';
			if (!inside && !names.some((name) => name.test(item.fullName) || name.test(item.name))) return false;
		}
		if (only && item.parent?.kind !== 'test') return item.lineage.some((one) => one.options.only === true);
		return true;
	};
	return selected;
}

function pattern(text: string): RegExp {
	const literal = /^\/(.*)\/([a-z]*)$/s.exec(text);
	return literal ? new RegExp(literal[1] ?? '', literal[2]) : new RegExp(text);
}
