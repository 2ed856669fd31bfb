import { acquireLock } from '../../src/bridge/instance-lock.ts';
import { ownProcess } from '../../src/bridge/own-process.ts';

// A process that takes the lock of the directory in its argument, says so, and stays until it is killed.
acquireLock(process.argv[2] ?? '', ownProcess(Date.now));
console.log('held');
setInterval(() => {}, 60_000);
