import * as z from 'zod/mini';
import { readStored, writeStored } from '../settings/stored.ts';

const NamedModel = z.object({ provider: z.string().check(z.minLength(1)), model: z.string().check(z.minLength(1)) });
export type NamedModel = z.infer<typeof NamedModel>;

const STORED = 'sandglass:named-models';
/** Maximum to store; older ones are dropped. */
const MOST = 20;

/** Models that the user named because no list had them, newest first; stored in this browser. */
export function namedModels(): NamedModel[] {
	return readStored(localStorage, STORED, z.array(NamedModel)) ?? [];
}

export function keepNamedModel({ provider, model }: NamedModel): void {
	const others = namedModels().filter((kept) => kept.provider !== provider || kept.model !== model);
	writeStored(localStorage, STORED, [{ provider, model }, ...others].slice(0, MOST));
}
