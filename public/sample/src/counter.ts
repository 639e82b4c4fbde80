import { slugify, type Options } from './index.ts';

/** A slugify that numbers what it has seen before: `news`, `news-2`, `news-3`. */
export function createCounter(): (title: string, options?: Options) => string {
	const seen = new Map<string, number>();
	return (title, options = {}) => {
		const slug = slugify(title, options);
		const count = (seen.get(slug) ?? 0) + 1;
		seen.set(slug, count);
		return count === 1 ? slug : `${slug}${options.separator ?? '-'}${count}`;
	};
}
