import { code } from './code.ts';
import { commits } from './commits.ts';
import { composer } from './composer.ts';
import { conversation } from './conversation.ts';
import { damage } from './damage.ts';
import { explained, providerErrors } from './errors.ts';
import { folder } from './folder.ts';
import { fork } from './fork.ts';
import { front } from './front.ts';
import { machines } from './machines.ts';
import { models } from './models.ts';
import { network } from './network.ts';
import { offline } from './offline.ts';
import { outcomes } from './outcomes.ts';
import { palette } from './palette.ts';
import { preview } from './preview.ts';
import { publish } from './publish.ts';
import { review } from './review.ts';
import { settings } from './settings.ts';
import { sharing } from './share.ts';
import { site } from './site.ts';
import { workbench } from './workbench.ts';

/** All strings of the page in English. Other languages have the same shape. */
export const en = {
	product: 'Sandglass',
	...front,
	...conversation,
	...workbench,
	...sharing,
	code,
	commits,
	composer,
	damage,
	explained,
	folder,
	fork,
	machines,
	models,
	network,
	offline,
	outcomes,
	palette,
	preview,
	providerErrors,
	publish,
	review,
	settings,
	site
};

/** The same shape with different text: strings stay strings, functions keep their parameters, lists their length. */
type Wording<T> = T extends string
	? string
	: T extends (...values: infer Values) => string
		? (...values: Values) => string
		: { readonly [Key in keyof T]: Wording<T[Key]> };

/** Type of every language's strings; a missing one is a type error. */
export type Strings = Wording<typeof en>;
