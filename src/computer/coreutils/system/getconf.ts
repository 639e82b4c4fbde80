import type { BuiltIn } from '#computer/shell/state/host.ts';
import { PROCESSES, PROCESSORS } from '#computer/abi/limits.ts';

const VARIABLES: Record<string, number> = {
	PAGE_SIZE: 4096,
	PAGESIZE: 4096,
	ARG_MAX: 2_097_152,
	_NPROCESSORS_ONLN: PROCESSORS,
	_NPROCESSORS_CONF: PROCESSORS,
	CHILD_MAX: PROCESSES,
	OPEN_MAX: 1024,
	PATH_MAX: 4096,
	NAME_MAX: 255,
	LONG_BIT: 64
};

export const getconf: BuiltIn = async (call) => {
	const [name = ''] = call.args;
	const value = VARIABLES[name];
	if (value !== undefined) {
		await call.out(`${value}\n`);
		return 0;
	}
	await call.complain(`Unrecognized variable \`${name}'`);
	return 2;
};
