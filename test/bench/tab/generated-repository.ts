/** Random numbers from a seed, the same everywhere (a linear congruential generator). */
function numbers(seed: number): (below: number) => number {
	let state = seed >>> 0;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const WORDS =
	'account alias batch border branch buffer cache channel client cluster column commit cursor daemon delta digest engine entry error event export factor field filter folder frame garden handle header import index inline input iterator journal kernel label ledger length letter limit linear listen marker matrix member memory message method mirror module monitor nested number object offset option orange output packet parent parser pattern period pointer policy prefix printer process profile prompt public queue random reader record region remote render report request result return river route sample schema screen script search second secret sender sequence server session shadow signal silver single socket source stream string summer switch symbol system table target terminal thread ticket timber token transfer tunnel update upload user value vector version view volume watch window worker writer yellow zone'.split(
		' '
	);

/** A repository that looks like code: 5,000 files of about 5 KB in some 300 folders. The same seed gives the same bytes. */
export function generatedRepository(seed: number, files = 5_000, averageBytes = 5_000): Record<string, string> {
	const next = numbers(seed);
	const word = (): string => WORDS[next(WORDS.length)] ?? '';
	const tree: Record<string, string> = { 'README.md': '# Generated\n' };
	for (let index = 1; index < files; index++) {
		const extension = ['ts', 'ts', 'js', 'css', 'md'][next(5)] ?? 'ts';
		const length = averageBytes / 2 + next(averageBytes);
		const lines: string[] = [];
		for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) {
			const indent = '\t'.repeat(next(4));
			lines.push(`${indent}const ${word()}${next(1_000)} = ${word()}.${word()}(${word()}, '${word()} ${word()}');\n`);
		}
		// One file in fifty contains the search word.
		if (next(50) === 0) lines.splice(next(lines.length), 0, `// needle ${index}: ${word()}\n`);
		const folder = `packages/${WORDS[next(24)]}/${WORDS[next(12)]}`;
		tree[`${folder}/${word()}-${index}.${extension}`] = lines.join('');
	}
	return tree;
}
