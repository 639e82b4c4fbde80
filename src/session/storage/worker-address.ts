import url from './worker.ts?worker&url';

/** Trusted Types policy that accepts only the storage worker's own bundle. */
const policy = globalThis.trustedTypes?.createPolicy('sandglass-storage', {
	createScriptURL: (address: string): string => {
		if (address !== url) throw new TypeError(`${address} is not the storage worker.`);
		return address;
	}
});

/** Address of the storage worker, as `new Worker` takes it under Trusted Types. */
export const storageWorkerAddress: string = policy?.createScriptURL(url) ?? url;
