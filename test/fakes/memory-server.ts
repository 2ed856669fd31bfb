import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MemoryMethod, MemoryPlatform, PlatformFault } from './memory-platform.ts';

/** The platform behind loopback HTTP, so that it outlives a bridge that is killed. */
export const serveMemoryPlatform = async (): Promise<{
  readonly platform: MemoryPlatform;
  readonly url: string;
  readonly close: () => Promise<void>;
}> => {
  const platform = new MemoryPlatform();
  const server: Server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method, args } = JSON.parse(body) as { method: MemoryMethod; args: never };
      try {
        response.end(JSON.stringify(await platform.call(method, args)));
      } catch (error) {
        if (!(error instanceof PlatformFault)) throw error;
        if (error.kind === 'lost') request.socket.destroy();
        response.statusCode = 500;
        response.end(JSON.stringify({ kind: error.kind, retryAfterMs: error.retryAfterMs }));
      }
    };
    // A client that was killed in the middle of its request is what this server is for.
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    platform,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
