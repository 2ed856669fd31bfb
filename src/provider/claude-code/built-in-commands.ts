/**
 * Names and aliases that Claude Code 2.1.332 knows as slash commands: the program's own listing (init
 * message of `-p --output-format stream-json`), the command tables inside its binary, and documented
 * older spellings. It errs on the side of too many: a name in it only means that a reply which begins
 * with it is refused with a remedy, a missing one would run a command (compat/claude-code, reply recipe).
 */
const NAMES = `
__remote-workflow access add-dir advisor agents alias all allowed-tools alt android app 
approved-tools artifacts auto-mode-setup autocompact autofix-pr background bash bashes batch bg 
branch break-reminder breaks brief btw bug build cd charset chart checkpoint chrome claude-api 
claude-code claude-in-chrome clean clear cloud-plugins cmd code-review color command compact 
computer config context continue copy cost count crmsh ctrl ctx_viz daemon dataviz debug 
deep-research default definition design-consent design-login design-revoke desktop diagnostics 
diff doctor downtime dry duration edit effort exec exit export extra-usage fast feedback 
fewer-permission-prompts files find focus force fork gaxios glob goal google-auth-library grep 
heapdump help hooks ide import incremental init insights install install-github-app 
install-slack-app ios keybindings keybindings-help list-agents listen locale login logout loop 
marketplace mcp mcp__ memory memory-pause migrate-installer mobile model motion name navigate 
new nohup onboarding openid-client other output-style output-style:new passes pause-memory 
peers permissions plan plugin plugin-authoring plugins powerup pr-comments pretty 
privacy-settings pro-trial-expired proactive project pyright quit radio rate-limit-options rc 
read recap release-notes reload-plugins reload-skills remote remote-control remote-env rename 
reset restart resume review rewind routines run run-skill-generator sandbox schedule 
scroll-speed security-review session settings setup-bedrock setup-cowork setup-vertex share 
ship ship:steward simplify skill-doctor skills sleep srun stats status statusline stickers stop 
strict subtask tasks team-onboarding teleport terminal-setup theme think-back thinkback 
thinkback-play time timeout todos toggle-memory tp tui ultraplan ultrareview ultrathink undo 
update update-config upgrade usage usage-credits use-case verbose verify version vim voice 
web-setup wellbeing workflow-authoring workflow-launch-exec workflows write
`;

/** Built-in command names by verified version; a version that is not in it proves nothing (D1). */
export const BUILT_IN_COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['2.1.332', new Set(NAMES.trim().split(/\s+/))],
]);
