import { onTestFinished } from 'vitest';
import { EventQueue } from '../../../src/core/async/event-queue.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import type { JobOf } from '../../../src/core/operations/jobs/jobs.ts';
import type { Runs } from '../../../src/core/port/engine.ts';
import type { Patience } from '../../../src/engine/mcp/client.ts';
import { McpServers } from '../../../src/engine/mcp/mcp-servers.ts';

/**
 * Asks MCP servers with the client that browsers use. Its connections end with the test: left alone, they end after a minute,
 * in the middle of another one that may forbid all requests.
 */
export class TestServers {
  /** What servers were asked for. */
  readonly asked: JobOf<'mcp'>[] = [];
  #servers: McpServers | undefined;
  #patience: Patience | undefined;

  /** From now on, servers have so long to answer. */
  wait(patience: Patience): void {
    this.#patience = patience;
  }

  get runs(): Runs<'mcp'> {
    return { mcp: (job, signal) => this.#answer(job, signal) };
  }

  async *#answer(job: JobOf<'mcp'>, signal: AbortSignal): AsyncGenerator<EventOf<'mcp'>> {
    this.asked.push(job);
    const events = new EventQueue<EventOf<'mcp'>>();
    this.#servers ??= openServers(this.#patience);
    this.#servers
      .answer(job, signal, (event) => events.push(event))
      .then(
        () => events.end(),
        (error: unknown) => events.fail(error),
      );
    yield* events;
  }
}

function openServers(patience?: Patience): McpServers {
  const load = () => import('../../../src/engine/mcp/client.ts');
  const servers = new McpServers({ load, ...(patience && { patience }) });
  onTestFinished(() => servers.close());
  return servers;
}
