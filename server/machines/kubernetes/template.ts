import { z } from 'zod';
import { ClusterError, parseYaml } from './cluster.ts';

const texts = z.record(z.string(), z.string());

/**
 * Fields that an operator may add to the pods of machines: where they run, and their labels and annotations, but
 * nothing that would give them rights, files or network access.
 */
const podTemplate = z.strictObject({
	apiVersion: z.literal('v1').optional(),
	kind: z.enum(['PodTemplate', 'Pod']).optional(),
	metadata: z.strictObject({ labels: texts.optional(), annotations: texts.optional() }).optional(),
	spec: z
		.strictObject({
			nodeSelector: texts.optional(),
			tolerations: z.array(z.record(z.string(), z.unknown())).optional(),
			affinity: z.record(z.string(), z.unknown()).optional(),
			imagePullSecrets: z.array(z.strictObject({ name: z.string() })).optional(),
			priorityClassName: z.string().optional(),
			schedulerName: z.string().optional(),
			/** User namespaces: root in the pod has no rights on the node. */
			hostUsers: z.literal(false).optional()
		})
		.optional()
});

export type PodTemplate = z.output<typeof podTemplate>;

/** Reads a template from a file. @throws ClusterError naming a field that it must not set */
export function readTemplate(file: string): PodTemplate {
	const parsed = podTemplate.safeParse(parseYaml(file));
	if (parsed.success) return parsed.data;
	const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'it is not valid' };
	throw new ClusterError(
		`${file} is no template for machines, at ${path.join('.') || 'its top'}: ${message}. It may set labels, annotations, nodeSelector, tolerations, affinity, imagePullSecrets, priorityClassName, schedulerName and hostUsers: false.`
	);
}
