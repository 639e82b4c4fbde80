import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { lastSetting } from './recursion-setting.ts';

/** Submodules that a fetch includes: none, all, or those that fetched commits move. */
export type FetchChoice = 'no' | 'yes' | 'on-demand';

/** Parses `--recurse-submodules`, or a setting. @param name of the option or the setting @throws GitError if invalid */
export function fetchChoice(name: string, text: string): FetchChoice {
	if (text === 'on-demand') return text;
	const isWanted = text === '' ? true : booleanOf(text);
	if (isWanted === null) throw fatal(`bad ${name} argument: ${text}`);
	return isWanted ? 'yes' : 'no';
}

/** Choice by the settings `fetch.recurseSubmodules` and `submodule.recurse`, the last one of which applies. */
export const configuredChoice = ({ config }: Repository): FetchChoice | null =>
	lastSetting<FetchChoice>(config, {
		'submodule.recurse': (text) => (booleanOf(text) === true ? 'yes' : 'no'),
		'fetch.recursesubmodules': (text) => fetchChoice('fetch.recurseSubmodules', text)
	});
