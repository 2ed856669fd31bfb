import { describe, expect, it } from 'vitest';
import { createMetrics, metricDescriptions } from '../../../src/bridge/metrics.ts';

const healthy = [
  { name: 'observe', isHealthy: true, detail: '', restarts: 0, lastBeatAt: 0 },
  { name: 'dispatch', isHealthy: false, detail: '', restarts: 1, lastBeatAt: 0 },
];

describe('createMetrics (O4)', () => {
  it('counts what the parts tell it, as Prometheus text', async () => {
    const metrics = createMetrics(() => healthy);
    metrics.delivered('reply', 'confirmed', 0.4);
    metrics.queued('outbox', 3);
    metrics.platformError('slack', 'ratelimited');
    metrics.loopRestarted('dispatch');
    metrics.runs(new Map([['idle', 1]]));
    metrics.runs(new Map([['working', 2]]));
    const text = await metrics.text();
    for (const line of [
      'afk_bridge_delivery_seconds_count{kind="reply",outcome="confirmed"} 1',
      'afk_bridge_queue_depth{queue="outbox"} 3',
      'afk_bridge_platform_errors_total{platform="slack",code="ratelimited"} 1',
      'afk_bridge_loop_restarts_total{loop="dispatch"} 1',
      'afk_bridge_runs{state="working"} 2',
      'afk_bridge_loop_healthy{loop="observe"} 1',
      'afk_bridge_loop_healthy{loop="dispatch"} 0',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain('state="idle"');
    for (const { name } of metricDescriptions()) expect(text).toContain(`# HELP ${name} `);
  });

  it('shares nothing between two bridges of one process', async () => {
    const [one, two] = [createMetrics(() => []), createMetrics(() => [])];
    one.queued('inbox', 7);
    expect(await two.text()).not.toContain('queue="inbox"');
  });
});
