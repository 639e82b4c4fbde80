import type { Poster, PosterLine } from '../poster/poster.ts';
import { t } from '../strings/index.ts';

const line = (number: number, text: string): PosterLine => ({ kind: 'same', number, text });

/** The demo's session with the sample project, as a poster. */
export function heroPoster(): Poster {
	const { reads, shell, edit } = t.step;
	return {
		project: 'slugify',
		task: t.front.hero.task,
		answer: t.front.hero.answer,
		steps: [
			{
				icon: 'terminal',
				verb: shell[1],
				subject: 'npm test',
				result: t.task.failed(3),
				tone: 'bad',
				output: [
					{ text: '✖ replaces umlauts', tone: 'bad' },
					{ text: '✖ replaces every umlaut in a word', tone: 'bad' },
					{ text: '✖ replaces capital umlauts', tone: 'bad' },
					{ text: 'ℹ pass 21' },
					{ text: 'ℹ fail 3' }
				]
			},
			{ icon: 'file', verb: reads(3, 0), subject: '' },
			{
				icon: 'pencil',
				verb: edit[1],
				subject: 'replacements.ts',
				result: '+1 −1',
				path: 'src/replacements.ts',
				lines: [
					line(12, 'export const replacements = ['),
					line(13, '\t...symbols,'),
					{ kind: 'added', number: 14, text: '\t...german,' },
					line(15, '\t...latin,'),
					{ kind: 'removed', number: 15, text: '\t...german,' },
					line(16, '\t...greek,'),
					line(17, '\t...cyrillic'),
					line(18, '];')
				]
			},
			{
				icon: 'terminal',
				verb: shell[1],
				subject: 'npm test',
				result: t.task.passed(24),
				tone: 'good',
				output: [
					{ text: '✔ replaces umlauts', tone: 'good' },
					{ text: '✔ replaces every umlaut in a word', tone: 'good' },
					{ text: 'ℹ pass 24' },
					{ text: 'ℹ fail 0' }
				]
			}
		]
	};
}
