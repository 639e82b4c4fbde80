import { nodeError } from '../../runtime/errors.ts';

function notBuilding(): never {
	const words = 'Operation cannot be invoked when not building startup snapshot';
	throw nodeError(Error, 'ERR_NOT_BUILDING_SNAPSHOT', words);
}

/** `v8.startupSnapshot`, as in a Node that builds none. */
export const startupSnapshot = {
	addDeserializeCallback: notBuilding,
	addSerializeCallback: notBuilding,
	setDeserializeMainFunction: notBuilding,
	isBuildingSnapshot: () => 0
};
