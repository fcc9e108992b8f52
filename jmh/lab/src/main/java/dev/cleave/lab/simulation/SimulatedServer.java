package dev.cleave.lab.simulation;

import dev.cleave.call.Remembered;
import dev.cleave.lab.history.Planted;
import dev.cleave.lab.simulation.Messages.Answered;
import dev.cleave.lab.simulation.Messages.Asked;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Lease;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Recall;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A replica: a bounded queue, two workers, and a log of what it has begun that outlives it. */
final class SimulatedServer extends Actor {

    static final String SERVICE = "s";

    private static final int WORKERS = 2;
    private static final int QUEUE = 24;

    /** The most calls that one has at a time. */
    static final int MOST_CALLS = QUEUE + WORKERS;

    private static final long LEASE_NANOS = 20_000_000_000L;

    private final BrokerLine line;
    private final Rules rules;
    private final Store store;
    private final Map<Long, Integer> executions = new TreeMap<>();
    private final List<Long> late = new ArrayList<>(); // calls that began when their time was over
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long wallClock; // of its machine: what later lives are told by
    private long incarnation;
    private int running;
    private boolean registered; // in this life

    private final Map<Begun, Asked> begun = new HashMap<>();
    private final Map<String, Memory> memories = new HashMap<>(); // by caller and connection

    /**
     * A call that has arrived.
     *
     * @param expiresAt when its deadline passes, as its caller has said
     * @param endsAt when its deadline truly passes
     */
    private record Waiting(Wire.End from, Asked asked, long expiresAt, long endsAt, Memory memory) {}

    private record Begun(RememberedCalls calls, long id) {}

    /** The memory of the calls of one connection. */
    private record Memory(Wire.End of, RememberedCalls calls) {}

    SimulatedServer(World world, Network network, SimulatedBroker broker, Rules rules, Store store, String name) {
        super(world, name);
        this.rules = rules;
        this.store = store;
        line = new BrokerLine(network, this, broker, this::register, this::heard);
    }

    /** The number of times that each call was begun here, by all processes of the server. */
    Map<Long, Integer> executions() {
        return executions;
    }

    /** The calls that it began though their time was over while they waited here. */
    List<Long> late() {
        return late;
    }

    /** The clock of its machine is set. */
    void jump(long millis) {
        wallClock += millis;
        world().tell("the clock of %s jumps by %d ms", name(), millis);
    }

    @Override
    void begin() {
        queue.clear();
        memories.clear();
        running = 0;
        registered = false;
        incarnation =
                wallClock + world().nanos() / 1_000_000 << 16 | world().random().nextInt(1 << 16);
        line.open();
        renew();
    }

    private void register() {
        if (registered && rules.has(Planted.REGISTERS_ONCE)) {
            return;
        }
        registered = true;
        line.send(
                new RegisterReplica(1, SERVICE, name(), incarnation, List.of(name()), "a.B", List.of("m()V"), 60_000));
    }

    private void heard(Object message) {
        if (message instanceof Failure failure && failure.code() == ErrorCode.ALREADY_BOUND) {
            line.againLater(); // an earlier life is still known, which by the clock is a later one
        } else if (message instanceof Failure) {
            register();
        }
    }

    private void renew() {
        after(LEASE_NANOS, () -> {
            line.send(new Lease(2, 60_000));
            renew();
        });
    }

    @Override
    Wire.Handler accept(Wire.End end) {
        return new Wire.Handler() {

            private final Memory memory = new Memory(end, rules.memory());
            private boolean isNamed;

            @Override
            public void onMessage(Object message) {
                if (message instanceof Ping ping) {
                    end.send(new Pong(ping.id(), new Load(queue.size(), 0, running, WORKERS)));
                } else if (message instanceof Asked asked) {
                    arrived(memory, asked);
                } else if (message instanceof Settled said) {
                    if (!isNamed) {
                        isNamed = true;
                        memories.put(end.peer().name() + '#' + said.connection().low(), memory);
                    }
                    memory.calls().settled(said.mark());
                } else if (message instanceof Recall said) {
                    recalled(end, said);
                }
            }

            @Override
            public void onClose() {
                memory.calls().shut(); // what waits is dropped when it would begin
            }
        };
    }

    private void recalled(Wire.End from, Recall said) {
        Memory memory =
                memories.get(from.peer().name() + '#' + said.connection().low());
        if (memory == null) {
            from.send(new Answered(said.id(), 0, ErrorCode.CONNECTION_LOST, Execution.MAYBE));
            return;
        }
        memory.calls().shut();
        memory.of().close();
        if (rules.has(Planted.RECALL_RUNS_AGAIN)) {
            again(memory, said.call());
        }
        memory.calls().recall(said.call(), new Remembered.Asker() {

            @Override
            public void failed(Execution execution, String why) {
                from.send(new Answered(said.id(), 0, ErrorCode.CONNECTION_LOST, execution));
            }

            @Override
            public void replied(ByteBuf reply, int highestType) {
                from.send(new Answered(said.id(), reply.getLong(reply.readerIndex()), null, Execution.EXECUTED));
            }
        });
    }

    private void arrived(Memory memory, Asked asked) {
        Wire.End from = memory.of();
        if (queue.size() >= QUEUE) {
            from.send(new Answered(asked.id(), 0, ErrorCode.OVERLOAD, Execution.NOT));
            if (!rules.has(Planted.REFUSED_YET_RUN)) {
                return;
            }
        }
        long now = world().nanos();
        Waiting waiting = new Waiting(from, asked, now + asked.deadlineNanos(), now + asked.leftNanos(), memory);
        queue.add(waiting);
        if (rules.has(Planted.REQUEST_TWICE, asked.id(), 50)) {
            queue.add(waiting);
        }
        work();
    }

    private void again(Memory memory, long id) {
        Asked asked = begun.get(new Begun(memory.calls(), id));
        if (asked != null) {
            executions.merge(asked.call(), 1, Integer::sum);
        }
    }

    private void work() {
        while (running < WORKERS && !queue.isEmpty()) {
            Waiting next = queue.remove();
            if (world().nanos() >= next.expiresAt() && !rules.has(Planted.RUNS_EXPIRED)) {
                next.from().send(new Answered(next.asked().id(), 0, ErrorCode.DEADLINE, Execution.NOT));
                if (rules.has(Planted.EXPIRED_YET_RUN)) {
                    execute(next);
                }
            } else {
                execute(next);
            }
        }
    }

    private void execute(Waiting call) {
        long number = call.asked().call();
        if (!call.memory().calls().begins(call.asked().id())) {
            return; // its caller knows that it has not run
        }
        running++;
        executions.merge(number, 1, Integer::sum);
        if (world().nanos() >= call.endsAt()) {
            late.add(number);
        }
        if (rules.has(Planted.RECALL_RUNS_AGAIN)) {
            begun.put(new Begun(call.memory().calls(), call.asked().id()), call.asked());
        }
        int read = store.size(number);
        if (rules.has(Planted.ANSWERED_AHEAD)) {
            answer(call, Store.result(number, read));
        }
        boolean isLong = world().random().nextInt(10) == 0;
        after(world().upTo(isLong ? 1_500 : 50), () -> ends(call, read));
    }

    /**
     * Ends a call that has run.
     *
     * @param read the number of calls of its key that were written when it began
     */
    private void ends(Waiting call, int read) {
        long number = call.asked().call();
        if (!rules.has(Planted.LOSES_WORKERS) || !call.from().isClosed()) {
            running--;
        }
        int place;
        if (rules.has(Planted.LOST_UPDATE)) {
            store.write(number, read);
            place = read;
        } else {
            place = store.append(number);
        }
        if (rules.has(Planted.STALE_RESULT, number, 20)) {
            place = Math.max(0, place - 1);
        }
        if (!rules.has(Planted.ANSWERED_AHEAD)) {
            answer(call, Store.result(rules.has(Planted.ANSWER_OF_ANOTHER, number, 100) ? number + 1 : number, place));
        }
        work();
    }

    private void answer(Waiting call, long result) {
        long id = call.asked().id();
        call.memory().calls().ended(id, Unpooled.buffer(Long.BYTES).writeLong(result));
        call.from().send(new Answered(id, result, null, Execution.EXECUTED));
    }
}
