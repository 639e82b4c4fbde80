/** Symbols of `using`, which browsers without it and Node's modules share. */
export const DISPOSE: symbol = Reflect.get(Symbol, 'dispose') ?? Symbol.for('Symbol.dispose');
