import { setDefaultVariables, setSuffixes } from './default-rules.ts';
import { DEFAULT_SHELL } from './recipe-lines.ts';
import type { MakeState } from './state.ts';

/** Environment variables that make sets itself. */
const OWN = /^(?:SHELL|MAKELEVEL|MAKEFLAGS|MAKE_RESTARTS|BASH_FUNC_.*)$/;
const FEATURES =
	'target-specific order-only second-expansion else-if shortest-stem undefine oneshell nocomment grouped-target extra-prereqs';

/**
 * Sets the variables that exist before a makefile is read.
 * @param restarts number of times that makefiles were already read
 */
export function setFirstVariables(state: MakeState, restarts: number): void {
	const { globals, machine, level } = state;
	for (const [name, value] of Object.entries(machine.variables()))
		if (!OWN.test(name)) globals.define(name, value, 'environment').exported = 'yes';
	setDefaultVariables(state);
	setSuffixes(state);
	const defaults = {
		...{ SHELL: DEFAULT_SHELL, '.SHELLFLAGS': '-c', '.RECIPEPREFIX': '', '.DEFAULT_GOAL': '', '.FEATURES': FEATURES },
		...{ MAKE_COMMAND: 'make', MAKE_VERSION: '4.3', MAKE_HOST: 'x86_64-pc-linux-gnu', '.INCLUDE_DIRS': '/usr/include' }
	};
	for (const [name, value] of Object.entries(defaults)) globals.define(name, value, 'default');
	globals.define('MAKE', '$(MAKE_COMMAND)', 'default', true);
	globals.define('CURDIR', machine.absolute('.'), 'file');
	globals.define('MAKEFILE_LIST', '', 'file');
	globals.define('MAKELEVEL', String(level), 'environment');
	globals.define('GNUMAKEFLAGS', '', 'environment');
	if (restarts > 0) globals.define('MAKE_RESTARTS', String(restarts), 'environment');
	for (const name of '@%*<?^+') {
		globals.define(`${name}D`, `$(patsubst %/,%,$(dir $${name}))`, 'automatic', true);
		globals.define(`${name}F`, `$(notdir $${name})`, 'automatic', true);
	}
}
