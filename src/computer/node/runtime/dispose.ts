/** Symbols of `using`, shared by Node's modules and browsers without them. */
export const DISPOSE: symbol = Reflect.get(Symbol, 'dispose') ?? Symbol.for('Symbol.dispose');
