/** Writes that are due later, each not before the one ahead of it: their order is the order they were asked for. */
export const writesInOrder = () => {
  const waiting: { readonly due: number; readonly write: () => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const run = (isAll: boolean): void => {
    clearTimeout(timer);
    while (waiting[0] && (isAll || waiting[0].due <= Date.now())) waiting.shift()?.write();
    if (waiting[0]) timer = setTimeout(() => run(false), waiting[0].due - Date.now());
  };
  return {
    add(afterMs: number, write: () => void): void {
      waiting.push({ due: Math.max(Date.now() + afterMs, waiting.at(-1)?.due ?? 0), write });
      run(false);
    },
    /** Everything that waits is written now. */
    finish(): void {
      run(true);
    },
    /** Nothing that waits is written any more. */
    drop(): void {
      waiting.length = 0;
      clearTimeout(timer);
    },
  };
};
