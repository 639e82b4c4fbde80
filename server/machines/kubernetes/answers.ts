import { z } from 'zod';

/** Responses of the API server, with the fields that are used. */

const metadata = z.object({
	name: z.string(),
	uid: z.string(),
	creationTimestamp: z.string().transform((time) => Date.parse(time) || 0),
	deletionTimestamp: z.string().optional(),
	labels: z.record(z.string(), z.string()).default({}),
	annotations: z.record(z.string(), z.string()).default({})
});

const waiting = z.object({ reason: z.string().optional(), message: z.string().optional() });

export const pod = z.object({
	metadata,
	status: z
		.object({
			phase: z.string().default('Pending'),
			reason: z.string().optional(),
			message: z.string().optional(),
			conditions: z
				.array(
					z.object({
						type: z.string(),
						status: z.string(),
						reason: z.string().optional(),
						message: z.string().optional()
					})
				)
				.default([]),
			containerStatuses: z
				.array(z.object({ ready: z.boolean(), state: z.object({ waiting: waiting.optional() }).optional() }))
				.default([])
		})
		.prefault({})
});
export type Pod = z.output<typeof pod>;

export const pods = z.object({ items: z.array(pod) });

export const sandbox = z.object({ metadata });
export const sandboxes = z.object({ items: z.array(sandbox) });

/** Versions of an API group. */
export const apiGroup = z.object({ versions: z.array(z.object({ version: z.string() })) });

const requirement = z.object({ key: z.string(), operator: z.string(), values: z.array(z.string()).default([]) });

export const networkPolicies = z.object({
	items: z.array(
		z.object({
			metadata: z.object({ name: z.string() }),
			spec: z.object({
				podSelector: z
					.object({
						matchLabels: z.record(z.string(), z.string()).default({}),
						matchExpressions: z.array(requirement).default([])
					})
					.prefault({}),
				policyTypes: z.array(z.string()).default(['Ingress']),
				egress: z.array(z.unknown()).default([]),
				ingress: z.array(z.unknown()).default([])
			})
		})
	)
});
export type NetworkPolicy = z.output<typeof networkPolicies>['items'][number];

/** Response whose content is not used. */
export const anything = z.unknown();
