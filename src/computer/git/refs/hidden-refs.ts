import type { Config } from '../config/config.ts';

/** A side of a transfer that may hide references from the other. */
export type HidingSection = 'receive' | 'uploadpack';

/** Creates the test for what `transfer.hideRefs` and the section's own setting hide: the last that fits decides. */
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
