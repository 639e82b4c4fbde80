import { findModel } from '#llm/catalog.ts';
import { locale } from '../language.ts';
import type { ModelChoice } from '../parts.ts';
import { t } from '../strings/index.ts';

/**
 * Short remarks for choosing a model: its badges, and its end of service if announced.
 *
 * @param now time in milliseconds
 */
export function remarksOn({ model }: Pick<ModelChoice, 'model'>, now = Date.now()): string[] {
	const listed = findModel(model);
	if (!listed) return [];
	const badges = listed.badges.map((badge) => t.models.badges[badge]);
	return listed.lastDay === undefined ? badges : [...badges, remarkOnEnd(listed.lastDay, now)];
}

const DAY_MS = 86_400_000;

function remarkOnEnd(lastDay: string, now: number): string {
	const start = Date.parse(lastDay);
	const date = new Date(start).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
	return now < start + DAY_MS ? t.models.ends(date) : t.models.ended(date);
}
