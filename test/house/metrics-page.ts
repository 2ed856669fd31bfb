import { metricDescriptions } from '../../src/bridge/metrics.ts';

/** docs/metrics.md. */
export const metricsPage =
  (): string => `<!-- Generated from src/bridge/metrics.ts by \`npm run docs\`. -->
# Metrics

Prometheus text at \`/metrics\` on the page's port. Labels are few and closed; none holds an id or a text of a conversation. The process's own metrics (\`process_…\`, \`nodejs_…\`) come on top.

| name | type | labels | meaning |
|---|---|---|---|
${metricDescriptions()
  .map(
    ({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.join(', ')} | ${help} |`,
  )
  .join('\n')}
`;
