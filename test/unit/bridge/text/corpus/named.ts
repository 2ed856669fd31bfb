import { dummy as d, pemLines, uuid } from './dummy.ts';

export interface Leak {
  readonly name: string;
  /** None of these may be left. */
  readonly secrets: readonly string[];
  readonly text: string;
}

const leak = (name: string, secret: string, around: (secret: string) => string): Leak => ({
  name,
  secrets: [secret],
  text: around(secret),
});

const key = 'PRIVATE KEY';
const pem = (kind: string, lines: string): string =>
  `-----BEGIN ${kind}${key}-----\n${lines}\n-----END ${kind}${key}-----`;
const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.slice(0, 40));
const keyLeak = (name: string, seed: number, around: (lines: string) => string): Leak => {
  const lines = pemLines(6, seed);
  return { name, secrets: linesOf(lines), text: around(lines) };
};

const privateKeys: readonly Leak[] = [
  keyLeak('PEM', 1, (l) => `$ cat key.pem\n${pem('', l)}\n$ `),
  keyLeak('RSA PEM', 2, (l) => pem('RSA ', l)),
  keyLeak('EC PEM', 3, (l) => pem('EC ', l)),
  keyLeak('OpenSSH', 4, (l) => pem('OPENSSH ', `b3BlbnNzaC1rZXktdjEAAAAA\n${l}`)),
  keyLeak('encrypted PEM', 5, (l) =>
    pem('RSA ', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${d(32, 'upper')}\n\n${l}`),
  ),
  keyLeak(
    'PGP',
    6,
    (l) =>
      `-----BEGIN PGP ${key} BLOCK-----\nVersion: GnuPG v2\n\n${l}\n-----END PGP ${key} BLOCK-----`,
  ),
  keyLeak(
    'head of a key',
    7,
    (l) =>
      `$ head -5 key.pem\n-----BEGIN ${key}-----\n${l.split('\n').slice(0, 4).join('\n')}\n$ ls`,
  ),
  keyLeak('tail of a key', 8, (l) => `$ tail -5 key.pem\n${l}\n-----END ${key}-----\n$ ls`),
  keyLeak('key in JSON', 9, (l) =>
    JSON.stringify({ type: 'service_account', data: `${pem('', l)}\n` }),
  ),
  keyLeak(
    'half a key in JSON',
    10,
    (l) => `{"data": ${JSON.stringify(`-----BEGIN ${key}-----\n${l}`).slice(0, -30)}`,
  ),
  keyLeak('key in a diff', 11, (l) =>
    pem('', l)
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n'),
  ),
  keyLeak('tail of a key in a diff', 12, (l) =>
    `${l}\n-----END ${key}-----`
      .split('\n')
      .map((line) => `-${line}`)
      .join('\n'),
  ),
  keyLeak('numbered key', 13, (l) =>
    `-----BEGIN ${key}-----\n${l}`
      .split('\n')
      .map((line, n) => `${String(n + 1).padStart(6)}→${line}`)
      .join('\n'),
  ),
  keyLeak(
    'key in one line',
    14,
    (l) => `KEY_DATA="-----BEGIN ${key}----- ${l.split('\n').join(' ')} -----END ${key}-----"`,
  ),
  keyLeak(
    'key of YAML',
    15,
    (l) =>
      `tls:\n  key: |\n${pem('', l)
        .split('\n')
        .map((line) => `    ${line}`)
        .join('\n')}\n`,
  ),
  keyLeak('quoted key', 16, (l) =>
    pem('', l)
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  ),
  keyLeak(
    'PuTTY',
    17,
    (l) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 6\n${l}\nPrivate-MAC: ${d(64, 'hex', 5)}`,
  ),
  keyLeak(
    'grep of a key',
    18,
    (l) =>
      `key.pem:-----BEGIN ${key}-----\n${l
        .split('\n')
        .map((line) => `key.pem-${line}`)
        .join('\n')}\nkey.pem------END ${key}-----`,
  ),
  leak('bare OpenSSH', `b3BlbnNzaC1rZXktdjE${d(60, 'base64')}`, (s) => `key: ${s}`),
  leak(
    'bare PKCS#8',
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${d(64, 'base64')}`,
    (s) => `{"pem": "${s}"}`,
  ),
];

const environment: readonly Leak[] = [
  ['AWS_SECRET_ACCESS_KEY', d(40, 'base64')],
  ['AWS_SESSION_TOKEN', `${d(120, 'base64')}==`],
  ['DB_PASSWORD', 'hunter2'],
  ['POSTGRES_PASSWORD', 'correct-horse'],
  ['PGPASSWORD', 's3cret!'],
  ['MYSQL_ROOT_PASSWORD', 'p@ss;w&rd|x'],
  ['MYSQL_PWD', 'Tr0ub4dor&3'],
  ['REDIS_PASSWORD', d(32)],
  ['SECRET_KEY_BASE', d(128, 'hex')],
  ['DJANGO_SECRET_KEY', 'django-insecure-#x8!q2'],
  ['JWT_SECRET', 'keyboardcat'],
  ['SESSION_SECRET', d(24)],
  ['NEXTAUTH_SECRET', d(44, 'base64')],
  ['TWILIO_AUTH_TOKEN', d(32, 'hex')],
  ['HEROKU_API_KEY', uuid(3)],
  ['CLOUDFLARE_API_TOKEN', d(40)],
  ['CLOUDFLARE_API_KEY', d(37, 'hex')],
  ['DD_API_KEY', d(32, 'hex')],
  ['ALGOLIA_ADMIN_KEY', d(32, 'hex')],
  ['AZURE_CLIENT_SECRET', d(40)],
  ['AZURE_STORAGE_KEY', `${d(86, 'base64')}==`],
  ['SMTP_PASS', 'mail4you'],
  ['LDAP_BIND_PASSWORD', 'Winter2024!'],
  ['ENCRYPTION_KEY', d(64, 'hex')],
  ['GH_TOKEN', d(40, 'hex')],
  ['VAULT_TOKEN', `s.${d(24)}`],
  ['RABBITMQ_DEFAULT_PASS', 'guest42'],
  ['KEYSTORE_PASSPHRASE', 'open sesame'],
].map(([name = '', secret = ''], n): Leak => {
  const forms = [
    (s: string) =>
      `$ cat .env\nNODE_ENV=production\n${name}=${s.includes(' ') ? `"${s}"` : s}\nPORT=80`,
    (s: string) => `export ${name}="${s}"`,
    (s: string) => `+${name}='${s}'\n`,
    (s: string) => `environment:\n  - ${name}=${s.includes(' ') ? 'x' : s}\n`,
    (s: string) => JSON.stringify({ env: `A=1\n${name}=${s}\nB=2` }),
    (s: string) => `docker run -e "${name}=${s}" image`,
    (s: string) => JSON.stringify({ Env: ['PATH=/bin', `${name}=${s}`] }),
  ];
  const form = secret.includes(' ') ? forms[1] : forms[n % forms.length];
  return leak(`${name} in form ${n % forms.length}`, secret, form ?? ((s) => `${name}=${s}`));
});

const members: readonly Leak[] = [
  leak('JSON password', 'hunter2', (s) => `{"user": "me", "password": "${s}"}`),
  leak('JSON passphrase with spaces', 'correct horse battery', (s) => `{"passphrase": "${s}"}`),
  leak('JSON apiKey', d(32), (s) => `{\n  "apiKey": "${s}"\n}`),
  leak('JSON value on the next line', d(32), (s) => `{"clientSecret":\n    "${s}"}`),
  leak(
    'JSON SecretAccessKey',
    d(40, 'base64'),
    (s) => `{"AccessKeyId": "x", "SecretAccessKey": "${s}"}`,
  ),
  leak('JSON in JSON', d(24), (s) => JSON.stringify({ body: JSON.stringify({ accessToken: s }) })),
  leak('JSON thrice', d(24), (s) =>
    JSON.stringify(JSON.stringify(JSON.stringify({ accessToken: s }))),
  ),
  leak('JSON refresh_token', d(48), (s) => `{"token_type":"Bearer","refresh_token":"${s}"}`),
  leak('Docker config auth', `${d(40)}==`, (s) => `{"auths":{"registry.example":{"auth":"${s}"}}}`),
  leak('JSON diff', d(20), (s) => `-  "api_key": "",\n+  "api_key": "${s}",`),
  leak('YAML password', 'hunter2x', (s) => `db:\n  user: me\n  password: ${s}\n`),
  leak('YAML password of letters', 'letmein', (s) => `db:\n  user: me\n  password: ${s}\n`),
  leak('YAML token', d(30), (s) => `auth:\n  token: ${s}  # rotated\n`),
  leak('YAML block', d(40), (s) => `stringData:\n  secret: |\n    ${s}\n  other: x`),
  leak('YAML folded block', d(40), (s) => `client_secret: >-\n  ${s}\n`),
  leak(
    'YAML list of name and value',
    'hunter2x',
    (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n`,
  ),
  leak('JSON name and value', d(16), (s) => `{"name": "API_TOKEN", "value": "${s}"}`),
  leak('TOML', d(24), (s) => `[registry]\ntoken = "${s}"\n`),
  leak('INI, AWS credentials', d(40, 'base64'), (s) => `[default]\naws_secret_access_key = ${s}\n`),
  leak('properties', 'hunter2x', (s) => `spring.datasource.password=${s}\n`),
  leak('npmrc', uuid(9), (s) => `//registry.example.org/:_authToken=${s}\n`),
  leak('npmrc password', `${d(20)}==`, (s) => `//registry.example.org/:_password="${s}"\n`),
  leak('pypirc', 'hunter2x', (s) => `[pypi]\nusername = me\npassword = ${s}\n`),
  leak('JavaScript', d(28), (s) => `const client = new Api({ apiKey: '${s}', retries: 3 });`),
  leak('JavaScript variable', 'hunter2', (s) => `const password = '${s}';`),
  leak('template literal', d(28), (s) => `const token = \`${s}\`;`),
  leak('TypeScript with a type', d(28), (s) => `const authToken: string = "${s}";`),
  leak('Python', d(28), (s) => `client = Client(api_key="${s}", timeout=3)`),
  leak('Python dict', 'hunter2', (s) => `config = {'password': '${s}'}`),
  leak('Python by key', d(28), (s) => `os.environ["API_TOKEN"] = "${s}"`),
  leak('Go', d(28), (s) => `secretKey := "${s}"`),
  leak('Go struct', 'hunter2', (s) => `cfg := Config{Password: "${s}"}`),
  leak('Ruby', 'hunter2', (s) => `config = { :password => "${s}" }`),
  leak('Java', 'hunter2', (s) => `String password = "${s}";`),
  leak('Rust', d(28), (s) => `let token: &str = "${s}";`),
  leak('PHP', 'hunter2', (s) => `define('X', 1); $password = '${s}';`),
  leak('XML', 'hunter2', (s) => `<server><password>${s}</password></server>`),
  leak('XML attribute', 'hunter2', (s) => `<add key="DbPassword" value="${s}" />`),
  leak('flag', 'hunter2', (s) => `deploy --user me --password ${s} --yes`),
  leak('flag with =', d(20), (s) => `gh auth login --with-token=${s}`),
  leak('flag --token', d(20), (s) => `kubeadm join --token ${s}`),
  leak('flag --api-key', d(20), (s) => `cli --api-key '${s}' run`),
  leak('prose', 'x9Kd02lPq', (s) => `The password is ${s}, please keep it.`),
  leak('prose with a colon', 'x9Kd02lPq', (s) => `**Password:** ${s}\n`),
  leak('prose, backticks', 'x9Kd02lPq', (s) => `the token is \`${s}\`.`),
  leak('Terraform', d(28), (s) => `resource "x" "y" {\n  secret_key = "${s}"\n}`),
  leak('SQL', 'hunter2', (s) => `-- user\npassword = '${s}'`),
];

const headers: readonly Leak[] = [
  leak('bearer', d(40), (s) => `curl -H "Authorization: Bearer ${s}" https://x.example`),
  leak('basic', `${d(24)}==`, (s) => `Authorization: Basic ${s}\r\nHost: x`),
  leak('GitHub token header', d(40, 'hex'), (s) => `Authorization: token ${s}`),
  leak('bare authorization', d(32), (s) => `authorization: ${s}`),
  leak('authorization in JSON', d(32), (s) => `{"headers": {"Authorization": "Bearer ${s}"}}`),
  leak('authorization in code', d(32), (s) => `headers: { 'Authorization': 'Bearer ${s}' }`),
  leak('digest', d(32, 'hex'), (s) => `Authorization: Digest username="me", response="${s}"`),
  leak(
    'AWS signature',
    d(64, 'hex'),
    (s) => `Authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=${s}`,
  ),
  leak('proxy', `${d(24)}==`, (s) => `Proxy-Authorization: Basic ${s}`),
  leak('X-Api-Key', d(32), (s) => `< X-Api-Key: ${s}`),
  leak('PRIVATE-TOKEN', d(20), (s) => `curl --header "PRIVATE-TOKEN: ${s}" https://x.example`),
  leak('X-Auth-Token', d(32, 'hex'), (s) => `X-Auth-Token: ${s}`),
  leak('cookie', d(32, 'lower'), (s) => `Cookie: sessionid=${s}; theme=dark`),
  leak(
    'cookie, second',
    d(32),
    (s) => `curl -H 'Cookie: theme=dark; remember_me=${s}' https://x.example`,
  ),
  leak('set-cookie', d(40), (s) => `set-cookie: connect.sid=s%3A${s}; Path=/; HttpOnly`),
  leak('cookie in JSON', d(32), (s) => `{"cookie": "sid=${s}"}`),
];

const addresses: readonly Leak[] = [
  leak('Postgres', 'hunter2', (s) => `DATABASE=postgres://me:${s}@db.example/app`),
  leak('MongoDB', 'p%40ss', (s) => `mongodb+srv://me:${s}@cluster0.example.net/?retryWrites=true`),
  leak('Redis without a user', d(20), (s) => `redis://:${s}@cache:6379/0`),
  leak('AMQP', 'guest42', (s) => `amqps://worker:${s}@mq:5671`),
  leak('password with @', 'p@ss@word', (s) => `mysql://root:${s}@localhost:3306/app`),
  leak('password with /', 'pa/ss/word', (s) => `postgres://root:${s}@localhost/app`),
  leak(
    'git over https',
    d(40),
    (s) => `fatal: unable to access 'https://me:${s}@git.example/x.git/'`,
  ),
  leak('token as user', d(40, 'hex'), (s) => `git remote add o https://${s}@git.example/x.git`),
  leak('token as user, oauth', d(40, 'hex'), (s) => `https://${s}:x-oauth-basic@git.example/x.git`),
  leak('basic auth to a page', 'hunter2', (s) => `http://admin:${s}@10.0.0.1:8080/metrics`),
  leak(
    'signed AWS',
    d(64, 'hex'),
    (s) => `https://b.s3.example/o?X-Amz-Expires=60&X-Amz-Signature=${s}`,
  ),
  leak('Azure SAS', `${d(40)}%3D`, (s) => `https://a.blob.example/c?sv=2022&sp=r&sig=${s}&se=x`),
  leak('access_token', d(30), (s) => `https://x.example/cb#access_token=${s}&state=1`),
  leak('form body', d(30), (s) => `grant_type=client_credentials&client_secret=${s}`),
  leak('reset link', d(30), (s) => `https://x.example/reset?token=${s}`),
  leak('OAuth code', d(30), (s) => `http://localhost:8080/callback?code=${s}&state=x`),
  leak(
    'SQL Server',
    'hunter2',
    (s) => `Server=db;Database=app;User Id=sa;Password=${s};Encrypt=true`,
  ),
  leak(
    'Azure storage',
    `${d(86, 'base64')}==`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};EndpointSuffix=x`,
  ),
  leak(
    'Service Bus',
    `${d(43, 'base64')}=`,
    (s) => `Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=${s}`,
  ),
  leak('libpq', 'letmein', (s) => `psql "host=db user=me password=${s} dbname=app"`),
  leak('JDBC', 'hunter2', (s) => `jdbc:postgresql://db/app?user=me&password=${s}9`),
  leak('curl -u', 'hunter2', (s) => `curl -s -u admin:${s} https://x.example/api`),
  leak('mysql -p', 'hunter2', (s) => `mysql -h db -u root -p${s} app`),
  leak('sshpass', 'hunter2', (s) => `sshpass -p '${s}' ssh me@host`),
  leak('docker login', 'hunter2', (s) => `docker login -u me -p ${s} registry.example`),
  leak('netrc', 'hunter2', (s) => `machine git.example\n  login me\n  password ${s}\n`),
  leak('pgpass', 'hunter2', (s) => `localhost:5432:app:me:${s}\n`),
  leak(
    'Teams webhook',
    `${uuid(1)}@${uuid(2)}`,
    (s) => `https://x.webhook.office.com/webhookb2/${s}/IncomingWebhook/z`,
  ),
];

/** Secrets that are known by what stands around them. */
export const named: readonly Leak[] = [
  ...privateKeys,
  ...environment,
  ...members,
  ...headers,
  ...addresses,
];
