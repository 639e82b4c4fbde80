import type { Config } from '../config/config.ts';
import { fatal } from '../errors.ts';
import type { Options } from '../options.ts';

/** Options that control how the changes of merges are shown. */
export const MERGE_FORM_OPTIONS = {
	separate: '-m',
	combined: '-c',
	dense: '--cc',
	remerge: '--remerge-diff',
	diffMerges: '--diff-merges =',
	noDiffMerges: '--no-diff-merges'
};

/**
 * Form in which the changes of a merge are shown: against each parent separately, against the first one, against all in
 * one combined patch (dense: without hunks that a parent has), or against the result of merging again.
 */
export type MergeForm = 'none' | 'separate' | 'first' | 'combined' | 'dense' | 'remerge';

const FORMS: Readonly<Record<string, MergeForm>> = {
	...{ off: 'none', none: 'none', separate: 'separate', 'first-parent': 'first', 1: 'first' },
	...{ combined: 'combined', c: 'combined', 'dense-combined': 'dense', cc: 'dense' },
	...{ remerge: 'remerge', r: 'remerge' }
};

/** Option that decides the form of merges: the last one. */
export const latestForm = (options: Options<keyof typeof MERGE_FORM_OPTIONS>) =>
	options.latest('separate', 'combined', 'dense', 'remerge', 'diffMerges', 'noDiffMerges');

/** Form of merges by options and settings. @param usual form without any option */
export function mergeForm(
	options: Options<keyof typeof MERGE_FORM_OPTIONS | 'firstParent'>,
	config: Config,
	usual: MergeForm
): MergeForm {
	const last = latestForm(options);
	if (last === undefined) return options.has('firstParent') ? 'first' : usual;
	if (last === 'combined' || last === 'dense' || last === 'remerge') return last;
	if (last === 'noDiffMerges') return 'none';
	const given = last === 'separate' ? 'on' : (options.get('diffMerges') ?? '');
	const form =
		given === 'on' || given === 'm' ? formNamed(config.get('log.diffmerges') ?? 'separate') : formNamed(given);
	// Among first parents, a merge is one change.
	return form === 'separate' && options.has('firstParent') ? 'first' : form;
}

function formNamed(name: string): MergeForm {
	const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
	if (form === undefined) throw fatal(`invalid value for '--diff-merges': '${name}'`);
	return form;
}
