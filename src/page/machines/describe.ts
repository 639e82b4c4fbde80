import { formatBytes, formatWait } from '../format.ts';
import { t } from '../strings/index.ts';
import { visibleName } from '../visible-text.ts';
import type { MachineOffer } from './offers.ts';
import type { MachineStay } from './stay.svelte.ts';

/** Text of the button in the header. Times are milliseconds since the epoch. */
export function whereItRuns(stay: MachineStay | null, now: number): string {
	if (!stay) return t.machines.tab;
	if (stay.connection !== 'connected') return t.machines.reconnecting;
	const { kind, endsMs } = stay.machine;
	const title = t.machines.kinds[kind];
	return endsMs === undefined || endsMs <= now ? title : `${title} · ${formatWait(endsMs - now)}`;
}

/** Describes an offered machine in one line. */
export function factsOf({ kind, name, cpus, memoryBytes, lifetimeS }: MachineOffer): string {
	if (kind === 'host') return t.machines.folder(visibleName(name));
	const facts = [
		cpus === undefined ? '' : t.machines.cores(cpus),
		memoryBytes === undefined ? '' : t.machines.memory(formatBytes(memoryBytes)),
		visibleName(name),
		lifetimeS === undefined ? '' : t.machines.lives(formatWait(lifetimeS * 1_000))
	];
	return facts.filter(Boolean).join(' · ');
}

/** Reason why a session cannot currently move; `null` if it can. */
export function reasonToStay(project: {
	readonly working: boolean;
	readonly writable: boolean;
	readonly fork: { readonly isOpen: boolean };
}): string | null {
	if (!project.writable) return t.machines.readOnly;
	if (project.working) return t.machines.busy;
	return project.fork.isOpen ? t.machines.fork : null;
}
