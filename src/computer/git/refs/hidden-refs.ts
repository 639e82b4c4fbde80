import type { Config } from '../config/config.ts';

/** Side of a transfer that may hide references from the other. */
export type HidingSection = 'receive' | 'uploadpack';

/** Creates a predicate for `transfer.hideRefs` and the section's own setting: the last match decides. */
export function hiddenRefs(config: Config, section: HidingSection): (name: string) => boolean {
	const keys = ['transfer.hiderefs', `${section}.hiderefs`];
	const rules = config
		.all()
		.filter(({ key }) => keys.includes(key))
		.map(({ value }) => {
			const [, isShown, prefix = ''] = /^(!?)\^?(.*?)\/*$/.exec(value) ?? [];
			return { prefix, isShown: isShown === '!' };
		})
		.reverse();
	return (name) => {
		const rule = rules.find(({ prefix }) => name === prefix || name.startsWith(`${prefix}/`));
		return rule !== undefined && !rule.isShown;
	};
}
