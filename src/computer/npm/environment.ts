import { inside, parent, type Manifest } from './manifest.ts';

/** Environment of a script: npm's variables, and `node_modules/.bin` of every level in PATH. */
export function scriptEnvironment(
	env: Record<string, string>,
	manifest: Manifest,
	event: string,
	script: string
): Record<string, string> {
	return {
		...env,
		PATH: [...binDirectories(manifest.directory), env['PATH'] ?? '/usr/bin:/bin'].join(':'),
		INIT_CWD: env['INIT_CWD'] ?? env['PWD'] ?? manifest.directory,
		PWD: manifest.directory,
		npm_command: event === 'test' ? 'test' : 'run-script',
		npm_execpath: '/usr/bin/npm',
		npm_lifecycle_event: event,
		npm_lifecycle_script: script,
		npm_node_execpath: '/usr/bin/node',
		npm_package_json: inside(manifest.directory, 'package.json'),
		npm_package_name: manifest.name,
		npm_package_version: manifest.version,
		NODE: '/usr/bin/node'
	};
}

export function binDirectories(from: string): string[] {
	const directories: string[] = [];
	for (let at = from; ; at = parent(at)) {
		directories.push(inside(at, 'node_modules/.bin'));
		if (at === '/') return directories;
	}
}
