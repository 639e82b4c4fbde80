/** Describes which arguments make a filter read stdin. */
interface Filter {
	/** Letters of options that take a value. */
	valued: string;
	/** Operands before the files: a pattern, a script. */
	leading: number;
	/** Options that give the leading operand instead. */
	instead?: string;
}

const FILTERS: Record<string, Filter> = {
	cat: { valued: '', leading: 0 },
	tail: { valued: 'nc', leading: 0 },
	head: { valued: 'nc', leading: 0 },
	sort: { valued: 'kotST', leading: 0 },
	uniq: { valued: 'fsw', leading: 0 },
	cut: { valued: 'dfbc', leading: 0 },
	wc: { valued: '', leading: 0 },
	tac: { valued: 's', leading: 0 },
	rev: { valued: '', leading: 0 },
	fold: { valued: 'w', leading: 0 },
	paste: { valued: 'd', leading: 0 },
	column: { valued: 'tscoN', leading: 0 },
	grep: { valued: 'efmABC', leading: 1, instead: 'ef' },
	egrep: { valued: 'efmABC', leading: 1, instead: 'ef' },
	fgrep: { valued: 'efmABC', leading: 1, instead: 'ef' },
	sed: { valued: 'efl', leading: 1, instead: 'ef' },
	awk: { valued: 'Fvf', leading: 1, instead: 'f' },
	base64: { valued: 'w', leading: 0 },
	od: { valued: 'AtNjw', leading: 0 },
	strings: { valued: 'n', leading: 0 },
	split: { valued: 'lbna', leading: 0 },
	gzip: { valued: '', leading: 0 },
	gunzip: { valued: '', leading: 0 },
	zcat: { valued: '', leading: 0 },
	file: { valued: 'm', leading: 0 },
	'html-to-markdown': { valued: '', leading: 0 }
};

/**
 * Returns true if a just-bash command would read stdin with these arguments. This must be known in advance: the
 * command consumes its whole input, and one that does not read must not take the input of the next (`while read
 * …; do ls; done`).
 */
export function readsInput(name: string, args: readonly string[]): boolean {
	if (name === 'tr') return true;
	if (args.includes('-')) return true;
	const filter = FILTERS[name];
	if (!filter) return name === 'curl' && args.some((arg) => arg === '@-');
	let operands = 0;
	let leading = filter.leading;
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			operands += args.length - index - 1;
			break;
		}
		if (arg.startsWith('--')) {
			if (/^--(expression|file|regexp)(=|$)/.test(arg)) leading = 0;
			if (/^--(expression|file|regexp|lines|bytes|field-separator)$/.test(arg)) index++;
			continue;
		}
		if (!arg.startsWith('-') || arg === '-') {
			operands++;
			continue;
		}
		if (/^(grep|egrep|fgrep)$/.test(name) && /^-[a-zA-Z]*[rR]/.test(arg)) return false;
		for (let at = 1; at < arg.length; at++) {
			const letter = arg[at] ?? '';
			if (!filter.valued.includes(letter)) continue;
			if (filter.instead?.includes(letter)) leading = 0;
			if (at === arg.length - 1) index++;
			break;
		}
	}
	return operands <= leading;
}
