import type { Manifest } from './manifest.ts';

const LIFECYCLE = [
	'test',
	'start',
	'stop',
	'restart',
	'prepare',
	'prepublishOnly',
	'install',
	'preinstall',
	'postinstall',
	'version'
];

/** `npm run` without a name. */
export function listScripts(manifest: Manifest): string[] {
	const entries = Object.entries(manifest.scripts);
	if (entries.length === 0) return [];
	const id = manifest.version ? `${manifest.name}@${manifest.version}` : manifest.name;
	const show = ([name, script]: [string, string]) => [`  ${name}`, `    ${script}`];
	const lifecycle = entries.filter(([name]) => LIFECYCLE.includes(name));
	const others = entries.filter(([name]) => !LIFECYCLE.includes(name));
	return [
		...(lifecycle.length > 0 ? [`Lifecycle scripts included in ${id}:`, ...lifecycle.flatMap(show)] : []),
		...(others.length > 0
			? [...(lifecycle.length > 0 ? [''] : []), `available via \`npm run-script\`:`, ...others.flatMap(show)]
			: [])
	];
}
