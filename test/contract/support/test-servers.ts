import { EventQueue } from '../../../src/core/async/event-queue.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import type { JobOf } from '../../../src/core/operations/jobs/jobs.ts';
import type { Runs } from '../../../src/core/port/engine.ts';
import type { Patience } from '../../../src/engine/mcp/client.ts';
import { McpServers } from '../../../src/engine/mcp/mcp-servers.ts';

/** Asks MCP servers with the client that browsers use. */
export class TestServers {
  /** What servers were asked for. */
  readonly asked: JobOf<'mcp'>[] = [];
  #servers = openServers();

  /** From now on, servers have so long to answer. */
  wait(patience: Patience): void {
    this.#servers = openServers(patience);
  }

  /** Ends all connections. Left alone, they end after a minute, in the middle of a test that may forbid all requests. */
  close(): Promise<void> {
    return this.#servers.close();
  }

  get runs(): Runs<'mcp'> {
    return { mcp: (job, signal) => this.#answer(job, signal) };
  }

  async *#answer(job: JobOf<'mcp'>, signal: AbortSignal): AsyncGenerator<EventOf<'mcp'>> {
    this.asked.push(job);
    const events = new EventQueue<EventOf<'mcp'>>();
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
  return new McpServers({ load, ...(patience && { patience }) });
}
