/** Called at a named point between two effects; a crash test makes it not return. */
export type FailPoint = (name: string) => void;
