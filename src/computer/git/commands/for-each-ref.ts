import { wantsColor } from '../color-choice.ts';
import { binaryBytes } from '../diff/lines.ts';
import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { QUOTE_LANGUAGES } from '../listing/quoted-value.ts';
import { RefFields } from '../listing/ref-fields.ts';
import { filterRefs, fullNameFilter, REF_FILTER_OPTIONS } from '../listing/ref-filter.ts';
import { RefFormat } from '../listing/ref-format.ts';
import { sortRefs } from '../listing/ref-sort.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'for-each-ref [<options>] [<pattern>]';

export const forEachRef: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		...REF_FILTER_OPTIONS,
		ignoresCase: '--ignore-case',
		format: '--format =',
		sort: '--sort = !',
		count: '--count =',
		color: '--color ? !',
		shell: '-s --shell',
		perl: '-p --perl',
		python: '--python',
		tcl: '--tcl'
	});
	const { repository } = git;
	const count = Number(options.get('count') ?? 0);
	if (!Number.isInteger(count)) throw new GitError("error: option `count' expects an integer value", 129);
	if (count < 0) throw new GitError(`error: invalid --count argument: \`${count}'\nusage: git ${USAGE}`, 129);
	const languages = QUOTE_LANGUAGES.filter((one) => options.has(one));
	if (languages.length > 1) throw new GitError(`error: more than one quoting style?\nusage: git ${USAGE}`, 129);
	// Scripts parse the output, so settings never enable colors.
	const isColored = wantsColor(git, 'ui', options.isTakenBack('color') ? 'never' : (options.get('color') ?? 'auto'));
	const fields = new RefFields(repository, isColored);
	const text = options.get('format') ?? '%(objectname) %(objecttype)\t%(refname)';
	const format = new RefFormat(text, fields, isColored, languages[0] ?? null);
	const ignoresCase = options.has('ignoresCase');
	const patterns = [...options.operands, ...(options.paths ?? [])];
	const isNamed = fullNameFilter(patterns, ignoresCase);
	const named = repository.refs.list('refs/').filter(({ name }) => isNamed(name));
	const found = filterRefs(repository, options, named);
	const rows = sortRefs(repository, found, options.all('sort'), fields, ignoresCase);
	for (const ref of count === 0 ? rows : rows.slice(0, count)) git.out(binaryBytes(`${format.line(ref)}\n`));
	return 0;
};
