import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { Problem } from '../errors/problem.ts';
import { memberVariable, type FromMember, type ServedPlace, type ToMember } from './group-messages.ts';
import { CollectedMetrics, type CollectedProcess } from './merge-metrics.ts';
import { Metrics, type Family } from './metrics.ts';
import { LimitLedger } from './rate-limit.ts';
import type { Tls } from './tls.ts';
import { createDailyKey, keyOfToday } from './visitor-names.ts';

/** An event in the life of a process of a server. */
interface GroupEvent {
  readonly level: 'info' | 'warn' | 'error';
  readonly process: number;
  readonly pid?: number | undefined;
  readonly state: 'ended' | 'ready' | 'failed';
  readonly message: string;
}

interface GroupOptions {
  /** The number of processes. */
  readonly count: number;
  readonly clock: Clock;
  readonly ownMetrics: () => Promise<readonly Family[]>;
  readonly onEvent: (event: GroupEvent) => void;
  /** The certificate of the server. A process that cannot read it from its files gets it from here. */
  readonly tls: Pick<Tls, 'identity' | 'reload'> | undefined;
}

interface Member {
  readonly number: number;
  worker: Worker | undefined;
  metrics: CollectedProcess | undefined;
  isReady: boolean;
  startedAt: number;
  /** The number of consecutive early exits. */
  failures: number;
}

/** Milliseconds after which a process counts as stable. */
const steadyTime = 10_000;
/** Milliseconds until a process is restarted after an early exit: doubled each time, up to the maximum. */
const restartDelay = { first: 250, max: 30_000 };
/** Maximum milliseconds to wait for the metrics of a process. */
const collectTimeout = 2000;

/**
 * Starts the processes of a server and keeps them running. They run the command of this process and share its listening sockets,
 * so the system assigns connections to them. This process answers no requests.
 */
export class ProcessGroup {
  readonly #options: GroupOptions;
  readonly #members: readonly Member[];
  readonly #ledger: LimitLedger;
  readonly #collected = new CollectedMetrics();
  readonly #own = { server: this.#collected.add(0), group: this.#collected.add(-1) };
  readonly #collecting = new Map<number, (families: readonly Family[]) => void>();
  readonly #metrics = new Metrics();
  readonly #stop = new AbortController();
  #lastCollect = 0;
  #visitorKey: ReturnType<typeof createDailyKey>;
  #place: ServedPlace | undefined;
  #isStarted = false;
  #settle: { resolve: (place: ServedPlace) => void; reject: (error: Error) => void } | undefined;
  #ended: () => void = () => {};

  constructor(options: GroupOptions) {
    this.#options = options;
    this.#visitorKey = createDailyKey(options.clock);
    this.#ledger = new LimitLedger(options.clock, options.count);
    this.#members = Array.from({ length: options.count }, (_, at) => ({
      number: at + 1,
      worker: undefined,
      metrics: undefined,
      isReady: false,
      startedAt: 0,
      failures: 0,
    }));
    this.#metrics.gauge({ name: 'docsctl_processes_ready', help: 'Processes that answer requests.' }, () => [
      [[], this.#members.filter(({ isReady }) => isReady).length],
    ]);
    this.#restarts = this.#metrics.counter(
      'docsctl_process_restarts_total',
      'Processes that ended and were started again.',
      [],
    );
    this.#restarts.add([], 0);
  }
  readonly #restarts: ReturnType<Metrics['counter']>;

  /**
   * Starts the processes, and returns their addresses when all are ready.
   *
   * @throws the Problem of the first process that cannot serve; Problem(unexpected) if one exits before it is ready
   */
  async start(): Promise<ServedPlace> {
    if (!cluster.isPrimary)
      throw new Problem(
        'usage',
        'This process belongs to a Node.js cluster, so it cannot start processes of its own.',
        {
          hint: 'Add --processes 1.',
        },
      );
    // If this process handed over each connection, a short one would take a third longer.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ stdio: ['ignore', 'inherit', 'inherit', 'ipc'], windowsHide: true });
    const started = new Promise<ServedPlace>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    for (const member of this.#members) this.#fork(member);
    try {
      return await started;
    } catch (error) {
      for (const { worker } of this.#members) worker?.process.kill('SIGKILL');
      throw error;
    }
  }

  /** Makes all processes read their certificates again. */
  reload(): void {
    try {
      this.#options.tls?.reload();
    } catch {
      // The other processes report it.
    }
    this.#tellAll({ type: 'reload' });
  }

  /** Returns the merged metrics of all processes. */
  async metrics(): Promise<Family[]> {
    const at = ++this.#lastCollect;
    await Promise.all([
      this.#options.ownMetrics().then((families) => this.#own.server.set(families, at)),
      this.#metrics.families().then((families) => this.#own.group.set(families, at)),
      ...this.#members.map((member) => this.#collect(member)),
    ]);
    return this.#collected.merged();
  }

  /** Stops all processes, and waits at most `timeout` milliseconds for them. */
  async stop(timeout: number): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    this.#stop.abort();
    this.#tellAll({ type: 'stop' });
    this.#checkEnded();
    await Promise.race([ended, delay(timeout, undefined, { ref: false })]);
    for (const { worker } of this.#members) worker?.process.kill('SIGKILL');
    await ended;
  }

  #fork(member: Member): void {
    const worker = cluster.fork({ [memberVariable]: 'yes' });
    const metrics = this.#collected.add(member.number);
    Object.assign(member, { worker, metrics, startedAt: performance.now(), isReady: false });
    let hasEnded = false;
    const end = (message: string): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#onEnd(member, worker, message);
    };
    worker.on('message', (message: FromMember) => this.#onMessage(member, worker, message));
    worker.on('error', (error) => end(`It could not be started or reached: ${error.message}.`));
    worker.on('exit', (code, signal) =>
      end(`It ended with ${signal ? `signal ${signal}` : `exit code ${code}`}.`),
    );
  }

  #onMessage(member: Member, worker: Worker, message: FromMember): void {
    switch (message.type) {
      case 'hello': {
        this.#visitorKey = keyOfToday(this.#visitorKey, this.#options.clock);
        const [place, identity] = [this.#place, this.#options.tls?.identity()];
        const setup = { number: member.number, visitorKey: this.#visitorKey, place, identity };
        tell(worker, { type: 'setup', setup });
        if (this.#stop.signal.aborted) tell(worker, { type: 'stop' });
        return;
      }
      case 'ready':
        member.isReady = true;
        this.#place ??= message.place;
        this.#tellWhetherComplete();
        if (this.#isStarted)
          this.#report(member, 'info', 'ready', 'It takes the place of the one that ended.');
        else if (this.#members.every(({ isReady }) => isReady)) {
          this.#isStarted = true;
          this.#settle?.resolve(this.#place);
        }
        return;
      case 'failed': {
        const { reason, error } = message;
        if (this.#isStarted) this.#report(member, 'error', 'failed', error.message);
        else {
          const { hint, violations } = error;
          this.#settle?.reject(new Problem(reason, error.message, { hint, violations }));
        }
        return;
      }
      case 'take': {
        const { id, name, limit, client } = message;
        tell(worker, { type: 'lease', id, lease: this.#ledger.lease(name, limit, client) });
        return;
      }
      case 'metrics':
        this.#collecting.get(message.id)?.(message.families);
    }
  }

  #onEnd(member: Member, worker: Worker, message: string): void {
    const { number, isReady } = member;
    member.worker = undefined;
    member.isReady = false;
    member.metrics?.end();
    if (this.#stop.signal.aborted) return this.#checkEnded();
    if (!this.#isStarted)
      return this.#settle?.reject(
        new Problem('unexpected', `Process ${number} of the server ended before it was ready. ${message}`, {
          hint: 'The error is above. With --processes 1, the server needs less memory.',
        }),
      );
    this.#report(member, 'error', 'ended', message, worker.process.pid);
    const isSteady = isReady && performance.now() - member.startedAt > steadyTime;
    member.failures = isSteady ? 0 : member.failures + 1;
    this.#restarts.add([]);
    const wait = isSteady ? 0 : Math.min(restartDelay.max, restartDelay.first * 2 ** (member.failures - 1));
    delay(wait, undefined, { signal: this.#stop.signal }).then(
      () => this.#fork(member),
      () => {},
    );
  }

  #checkEnded(): void {
    if (this.#members.every(({ worker }) => worker === undefined)) this.#ended();
  }

  /** The server is ready when all processes have been ready once. If one exits later, the others answer. */
  #tellWhetherComplete(): void {
    const isComplete = this.#isStarted || this.#members.every(({ isReady }) => isReady);
    this.#tellAll({ type: 'complete', isComplete });
  }

  #tellAll(message: ToMember): void {
    for (const { worker } of this.#members) if (worker !== undefined) tell(worker, message);
  }

  /** Waits for the metrics of a process. If it does not answer, its previous metrics are kept. */
  async #collect({ metrics, worker, isReady }: Member): Promise<void> {
    if (worker === undefined || !isReady) return;
    const id = ++this.#lastCollect;
    const answered = new Promise<void>((resolve) => {
      this.#collecting.set(id, (families) => {
        metrics?.set(families, id);
        resolve();
      });
    });
    tell(worker, { type: 'collect', id });
    await Promise.race([answered, delay(collectTimeout, undefined, { ref: false })]);
    this.#collecting.delete(id);
  }

  #report(
    { number, worker }: Member,
    level: GroupEvent['level'],
    state: GroupEvent['state'],
    message: string,
    pid = worker?.process.pid,
  ): void {
    this.#options.onEvent({ level, process: number, pid, state, message });
  }
}

/** Errors are ignored: an unreachable process will soon be reported as ended. */
function tell(worker: Worker, message: ToMember): void {
  if (worker.isConnected()) worker.send(message, undefined, () => {});
}
