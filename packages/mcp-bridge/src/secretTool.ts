/** The tool for passwords on the line. Programs have send_input(elicit=true). */
import { defineTool, type Tool } from './defineTool.ts';
import type { LineCalls } from './lineCalls.ts';
import type { SecretCalls } from './secretCalls.ts';
import { inputs } from './toolInputs.ts';

export function defineSecretTool(secrets: SecretCalls, line: LineCalls): Tool {
  return defineTool({
    name: 'send_secret',
    title: 'Have a person type a secret',
    description: `Asks a person for a password that the program on the line waits for. They give it on a page of the daemon's, and it goes straight to the line: you never see it. Send the command that asks for it first. It is typed only while echo is off or a password prompt stands there (prompt="RE2 regex" for one that does not say password), CR behind it. Returns what followed. Without an answer make the same call again.`,
    input: () => inputs().sendSecret,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: ({ message, prompt }, call) =>
      secrets.ask(
        {
          tool: 'send_secret',
          session: undefined,
          message,
          prompt,
          deliver: (outcome, answer, note) => line.deliverSecret(outcome, answer, call, note),
        },
        call,
      ),
  });
}
