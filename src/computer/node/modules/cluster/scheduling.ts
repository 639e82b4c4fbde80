/**
 * Names of the two policies of Node. Here they are the same: the kernel gives each connection to the worker that has
 * waited longest.
 */
export const SCHEDULING = { SCHED_NONE: 1, SCHED_RR: 2 } as const;

/** The policy that the environment variable `NODE_CLUSTER_SCHED_POLICY` names. */
export const schedulingPolicy = (name: string | undefined): number =>
	name === 'none' ? SCHEDULING.SCHED_NONE : SCHEDULING.SCHED_RR;
