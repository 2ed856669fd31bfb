/** Puts `hear` between the terminal and the program: what it gives is what the program reads. */
export const hearKeys = (hear: (chunk: string) => string): void => {
  const { stdin } = process;
  const emit = stdin.emit.bind(stdin);
  stdin.emit = (event: string | symbol, ...args: readonly unknown[]): boolean => {
    const [chunk] = args;
    if (event !== 'data' || typeof chunk !== 'string') return emit(event, ...args);
    const heard = hear(chunk);
    return heard === '' ? true : emit('data', heard);
  };
};
