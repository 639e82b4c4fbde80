import type { TargetFile } from './files.ts';
import { patternOf } from './names.ts';
import { addExtras, expandLater } from './prerequisites.ts';
import type { MakeState } from './state.ts';

/** Global settings made by special targets. */
export interface SpecialTargets {
	deletesOnError: boolean;
	ignoresErrors: boolean;
	isSilent: boolean;
	isAllSecondary: boolean;
	/** Patterns of files that are never deleted. */
	precious: string[];
	/** Recipe of `.DEFAULT`, for files without a rule. */
	fallback: TargetFile | null;
}

/** Finishes reading: performs second expansions, and marks the files named by special targets. @throws MakeFailure */
export async function settle(state: MakeState): Promise<SpecialTargets> {
	const { files } = state;
	state.place = null;
	state.isSettled = true;
	for (const file of files.all()) await expandLater(state, file);
	for (const file of files.all()) if (file.isTarget && !/^\.[A-Z]/.test(file.name)) await addExtras(state, file);
	const needs = (name: string): TargetFile[] | null => {
		const file = files.find(name);
		return file?.isTarget ? file.prerequisites.map((one) => one.file) : null;
	};
	for (const file of needs('.PRECIOUS') ?? []) file.isPrecious = true;
	for (const file of needs('.PHONY') ?? []) Object.assign(file, { isPhony: true, isTarget: true, time: null });
	for (const file of needs('.INTERMEDIATE') ?? []) file.isIntermediate = true;
	const secondary = needs('.SECONDARY');
	// Without prerequisites it applies to all files.
	for (const file of secondary?.length === 0 ? files.all() : (secondary ?? []))
		file.isIntermediate = file.isSecondary = true;
	if (needs('.EXPORT_ALL_VARIABLES')) state.exportsAll = true;
	const [ignored, silent] = [needs('.IGNORE'), needs('.SILENT')];
	for (const file of ignored ?? []) file.ignoresErrors = true;
	for (const file of silent ?? []) file.isSilent = true;
	const fallback = files.find('.DEFAULT');
	return {
		deletesOnError: files.find('.DELETE_ON_ERROR')?.isTarget === true,
		ignoresErrors: ignored?.length === 0,
		isSilent: silent?.length === 0,
		isAllSecondary: secondary?.length === 0,
		precious: (needs('.PRECIOUS') ?? []).map(({ name }) => name).filter((name) => patternOf(name).end !== null),
		fallback: fallback?.recipe ? fallback : null
	};
}
