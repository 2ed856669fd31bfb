import { MemoryPlatform } from '../fakes/memory-platform.ts';
import { serveMemoryPlatform } from '../fakes/memory-server.ts';
import { describeChatAdapter } from './chat-adapter.suite.ts';
import { inProcess, overHttp } from './memory-adapter.ts';
import { memoryBackstage } from './memory-backstage.ts';

describeChatAdapter('the memory adapter', async () => {
  const platform = new MemoryPlatform();
  return memoryBackstage(platform, inProcess(platform), 60);
});

describeChatAdapter('the memory adapter over HTTP', async () => {
  const { platform, url, close } = await serveMemoryPlatform();
  const stage = memoryBackstage(platform, overHttp(url), 600);
  return {
    ...stage,
    stop: async () => {
      await stage.stop();
      await close();
    },
  };
});
