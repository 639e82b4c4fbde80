import * as z from 'zod/mini';
import { readKept, writeKept } from '../settings/kept.ts';

const NamedModel = z.object({ provider: z.string().check(z.minLength(1)), model: z.string().check(z.minLength(1)) });
export type NamedModel = z.infer<typeof NamedModel>;

const STORED = 'sandglass:named-models';
/** The oldest is forgotten behind it. */
const MOST = 20;

/** Models that the user named because no list had them, newest first; stored in this browser. */
export function namedModels(): NamedModel[] {
	return readKept(localStorage, STORED, z.array(NamedModel)) ?? [];
}

export function keepNamedModel({ provider, model }: NamedModel): void {
	const others = namedModels().filter((kept) => kept.provider !== provider || kept.model !== model);
	writeKept(localStorage, STORED, [{ provider, model }, ...others].slice(0, MOST));
}
