import { expandVariable } from './expand.ts';
import type { MakeState } from './state.ts';
import type { Scope, Variable } from './variables.ts';

/** Variables in the environment of a recipe. */
export async function environmentFor(state: MakeState, scope: Scope): Promise<Map<string, string>> {
	const environment = new Map<string, string>();
	for (const [name, variable] of scope.all()) {
		if (name === 'MAKE_RESTARTS') continue;
		if (name === 'SHELL' && variable.exported !== 'yes') continue;
		if (!isExported(state, variable)) continue;
		const isOfEnvironment = variable.origin === 'environment' || variable.origin === 'environment override';
		environment.set(name, isOfEnvironment ? variable.value : await expandVariable(state, scope, variable));
	}
	environment.set('MAKELEVEL', String(state.level + 1));
	return environment;
}

function isExported(state: MakeState, variable: Variable): boolean {
	const { name, origin, ofTarget } = variable;
	const exported =
		ofTarget && variable.exported === 'default' ? (state.globals.own(name)?.exported ?? 'default') : variable.exported;
	if (exported !== 'default') return exported === 'yes';
	if (origin === 'default' || origin === 'automatic' || !/^[A-Za-z_]\w*$/.test(name)) return false;
	return state.exportsAll || origin === 'command line' || origin === 'environment' || origin === 'environment override';
}
