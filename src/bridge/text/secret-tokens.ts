/**
 * Tokens that are known by how they begin, as their makers document them. `head` is what a token
 * begins with, `body` the characters that follow (inside of `[]`), `least` how many at least.
 */
export interface TokenShape {
  readonly kind: string;
  readonly head: string;
  readonly body: string;
  readonly least: number;
  /** The head alone is too common a word: the rest must look random. */
  readonly isVague?: true;
}

const word = 'A-Za-z0-9';
const wordy = 'A-Za-z0-9_-';
const base64 = 'A-Za-z0-9+/=';

const of = (kind: string, head: string, least: number, body: string = word): TokenShape => ({
  kind,
  head,
  body,
  least,
});

export const tokenShapes: readonly TokenShape[] = [
  of('slack-token', 'xox[abceoprs](?:\\.xox[a-z])?-', 8, 'A-Za-z0-9-'),
  of('slack-token', 'xoxd-', 8, 'A-Za-z0-9%+/=_-'),
  of('slack-token', '(?:xapp|xwfp)-', 8, 'A-Za-z0-9-'),
  of('discord-token', 'mfa\\.', 60, wordy),
  of('anthropic-key', 'sk-ant-', 8, wordy),
  of('api-key', 'sk-(?:proj|svcacct|admin|service|None)-', 16, wordy),
  of('api-key', 'sk-or-v1-', 16),
  { ...of('api-key', 'sk-', 20, wordy), isVague: true },
  of('github-token', 'gh[pousr]_', 20),
  of('github-token', 'github_pat_', 20, 'A-Za-z0-9_'),
  of(
    'gitlab-token',
    'gl(?:pat|ptt|dt|rt|rtr|cbt|soat|oas|ft|imt|agent|ffct|wt)-',
    16,
    'A-Za-z0-9_.-',
  ),
  of('gitlab-token', 'GR1348941', 20, wordy),
  of('aws-key', '(?:AKIA|ASIA|ABIA|ACCA)', 16, 'A-Z0-9'),
  of('aws-key', 'ABSK', 100, base64),
  of('google-key', 'AIza', 30, wordy),
  of('google-token', 'ya29\\.', 20, 'A-Za-z0-9_.-'),
  of('google-token', '1//0', 30, wordy),
  of('google-secret', 'GOCSPX-', 20, wordy),
  of('stripe-key', '(?:[sr]k)_(?:live|test|org)_', 16, 'A-Za-z0-9_'),
  of('stripe-key', '(?:sk|rk|whsec)_', 24, 'A-Za-z0-9+/='),
  of('npm-token', 'npm_', 30),
  of('pypi-token', 'pypi-Ag', 30, wordy),
  of('docker-token', 'dckr_(?:pat|oat)_', 16, wordy),
  of('hugging-face-token', '(?:hf|api_org)_', 30),
  of('digital-ocean-token', 'do[opr]_v1_', 32, 'a-f0-9'),
  of('cloudflare-token', 'cf(?:k|ut|at)_', 30, wordy),
  of('cloudflare-key', 'v1\\.0-[a-f0-9]{24}-', 100, 'a-f0-9'),
  of('heroku-key', 'HRKU-', 20, wordy),
  of('twilio-key', 'SK(?=[0-9a-f]{32}(?![0-9A-Za-z]))', 32, 'a-f0-9'),
  of('mailgun-key', 'key-(?=[0-9a-f]{32}(?![0-9A-Za-z]))', 32, 'a-f0-9'),
  of('telegram-token', '\\d{8,10}:AA', 30, wordy),
  of('shopify-token', 'shp(?:at|ca|pa|ss)_', 24, 'A-Fa-f0-9'),
  of('square-token', 'sq0(?:atp|csp)-', 20, wordy),
  { ...of('square-token', 'EAAA', 56, wordy), isVague: true },
  of('linear-key', 'lin_(?:api|oauth)_', 30),
  of('notion-token', '(?:ntn_|secret_)(?=[A-Za-z0-9]{43})', 43),
  of('figma-token', 'fig[dour]_', 30, wordy),
  of('doppler-token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', 30, 'A-Za-z0-9_.-'),
  of('vault-token', 'hv[sbr]\\.', 20, wordy),
  of('grafana-token', 'gl(?:sa|c)_', 20, 'A-Za-z0-9_+/='),
  of('new-relic-key', 'NR(?:AK|II|AL|JS)-', 20, wordy),
  of('sentry-token', 'sntry[su]_', 30, 'A-Za-z0-9_+/=-'),
  of('planetscale-token', 'pscale_(?:tkn|pw|oauth)_', 24, 'A-Za-z0-9_.=-'),
  of('supabase-key', 'sb(?:p|_secret)_', 20, wordy),
  of('netlify-token', 'nfp_', 30),
  of('fly-token', 'fm[12][ar]?_', 40, 'A-Za-z0-9_+/=,-'),
  of('fly-token', 'fo1_', 30, wordy),
  of('render-key', 'rnd_', 24),
  of('pulumi-token', 'pul-', 40, 'a-f0-9'),
  of('postman-key', 'PMAK-', 30, 'A-Za-z0-9-'),
  of('atlassian-token', 'AT(?:ATT|CTT)3', 60, 'A-Za-z0-9_=.-'),
  of('bitbucket-token', 'ATBB', 24, 'A-Za-z0-9_='),
  of('databricks-token', 'dapi', 32, 'a-f0-9-'),
  of('dropbox-token', 'sl\\.(?:u\\.)?', 60, wordy),
  of('age-key', 'AGE-SECRET-KEY-1', 40, 'A-Z0-9'),
  of('groq-key', 'gsk_', 40),
  of('xai-key', 'xai-', 60),
  of('perplexity-key', 'pplx-', 40),
  of('replicate-token', 'r8_', 30),
  of('nvidia-key', 'nvapi-', 40, wordy),
  of('langsmith-key', 'lsv2_(?:pt|sk)_', 30, 'A-Za-z0-9_'),
  of('pinecone-key', 'pcsk_', 30, 'A-Za-z0-9_'),
  of('gem-key', 'rubygems_', 40, 'a-f0-9'),
  of('crates-token', 'cio(?=[A-Za-z0-9]{32}(?![A-Za-z0-9]))', 32),
  of('nuget-key', 'oy2(?=[a-z0-9]{43}(?![A-Za-z0-9]))', 43, 'a-z0-9'),
  of('artifactory-key', 'AKCp', 60),
  of('brevo-key', 'xkeysib-', 40, 'A-Za-z0-9-'),
  of('resend-key', 're_[A-Za-z0-9]{8}_', 20),
  of('sonar-token', 'sq[puar]_', 40, 'a-f0-9'),
  of('circleci-token', 'CCIP(?:AT|RJ)_', 30, 'A-Za-z0-9_'),
  of('tailscale-key', 'tskey-', 16, 'A-Za-z0-9-'),
  of('airtable-token', 'pat[A-Za-z0-9]{14}\\.', 40, 'a-f0-9'),
  of('terraform-token', '[A-Za-z0-9]{14}\\.atlasv1\\.', 40, wordy),
  of('mapbox-token', 'sk\\.eyJ', 40, 'A-Za-z0-9_.-'),
  of('onepassword-token', 'ops_eyJ', 60, 'A-Za-z0-9_+/=.-'),
  of('easypost-key', 'EZ[AT]K', 50),
  of('password-hash', '\\$(?:2[abxy]|5|6|y|apr1|argon2(?:id?|d))\\$', 20, 'A-Za-z0-9./$=,+'),
];
