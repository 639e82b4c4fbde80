import { UsageError, utility } from '../options.ts';

/** `who`: prints nothing, since a tab has no logins. */
export const who = utility(
	'a|all b|boot d|dead H|heading l|login lookup m p|process q|count r|runlevel s|short t|time T|w|mesg u|users|message|writable',
	async (call, options) => {
		const [, , extra] = options.operands;
		if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
		if (options.has('q')) await call.out('\n# users=0\n');
		else if (options.has('H')) await call.out(`NAME     LINE         TIME         COMMENT\n`);
		return 0;
	}
);

/** `pinky`: the same with other columns, or details of the named users. */
export const pinky = utility('l b h p s f w i q', async (call, options) => {
	if (!options.has('l')) {
		if (options.has('f')) return 0;
		const columns = ['Login   ', ' Name                ', ' TTY     ', ' Idle  ', ' When        ', ' Where'];
		const hidden = options.has('q') ? [1, 3, 5] : options.has('i') ? [1, 5] : options.has('w') ? [1] : [];
		// Without the name column there is one more space before the next column.
		if (hidden.length > 0) columns[0] += ' ';
		await call.out(`${columns.filter((_column, index) => !hidden.includes(index)).join('')}\n`);
		return 0;
	}
	if (options.operands.length === 0)
		throw new UsageError('no username specified; at least one must be specified when using -l', true);
	for (const name of options.operands) {
		const isKnown = name === 'user';
		await call.out(`Login name: ${name.padEnd(28)}In real life:  ${isKnown ? name : '???'}\n`);
		if (!isKnown) continue;
		if (!options.has('b')) await call.out('Directory: /home/user'.padEnd(40) + 'Shell:  /bin/bash\n');
		await call.out('\n');
	}
	return 0;
});
