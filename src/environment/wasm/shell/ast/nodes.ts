import type { Bash } from 'just-bash/browser';

/** The syntax tree of just-bash's parser, which the package keeps to itself; these names are taken from its result. */
export type Script = ReturnType<Bash['transform']>['ast'];
export type Statement = Script['statements'][number];
export type Pipeline = Statement['pipelines'][number];
export type Command = Pipeline['commands'][number];
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;
export type SimpleCommand = CommandOf<'SimpleCommand'>;
export type FunctionDefinition = CommandOf<'FunctionDef'>;
export type CompoundCommand = Exclude<Command, SimpleCommand | FunctionDefinition>;
export type Word = SimpleCommand['args'][number];
export type Part = Word['parts'][number];
export type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>;
export type ParameterPart = PartOf<'ParameterExpansion'>;
export type Operation = NonNullable<ParameterPart['operation']>;
export type OperationOf<Type extends Operation['type']> = Extract<Operation, { type: Type }>;
export type Assignment = SimpleCommand['assignments'][number];
export type Redirection = SimpleCommand['redirections'][number];
export type ArithmeticExpression = PartOf<'ArithmeticExpansion'>['expression'];
export type Arithmetic = ArithmeticExpression['expression'];
export type Conditional = CommandOf<'ConditionalCommand'>['expression'];
