import { shellWord } from '#environment/shell-word.ts';
import { parseDate } from '../config/identity.ts';
import { zoneText, type Signature } from '../objects/commit.ts';
import { shellWords } from '../shell-words.ts';

/** Author of a commit as shell assignments, the form in which a rebase stores it. */
export function authorScript({ name, email, seconds, offsetMinutes }: Signature): string {
	const date = `@${seconds} ${zoneText(offsetMinutes)}`;
	return `GIT_AUTHOR_NAME=${shellWord(name)}\nGIT_AUTHOR_EMAIL=${shellWord(email)}\nGIT_AUTHOR_DATE=${shellWord(date)}\n`;
}

/** Parses such assignments; null unless name, email and date are all present. */
export function readAuthorScript(text: string): Signature | null {
	const value = (key: string): string | undefined => {
		const [, given] = new RegExp(`^GIT_AUTHOR_${key}=(.*)$`, 'm').exec(text) ?? [];
		return given === undefined ? undefined : (shellWords(given)[0] ?? '');
	};
	const [name, email, date] = [value('NAME'), value('EMAIL'), value('DATE')];
	const time = date === undefined ? null : parseDate(date);
	return name === undefined || email === undefined || !time ? null : { name, email, ...time };
}
