package dev.cleave.broker.simulation;

import dev.cleave.broker.simulation.Messages.Answered;
import dev.cleave.broker.simulation.Messages.Asked;
import dev.cleave.call.Remembered;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Lease;
import dev.cleave.wire.Load;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Register;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A replica: a bounded queue, two workers, and a log of what it has begun that outlives it. */
final class SimulatedServer extends Actor {

    static final String SERVICE = "s";

    private static final int WORKERS = 2;
    private static final int QUEUE = 64;
    private static final long LEASE_NANOS = 20_000_000_000L;

    private final BrokerLine line;
    private final Map<Long, Integer> executions = new TreeMap<>();
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private long wallClock; // of its machine: what later lives are told by
    private long incarnation;
    private int running;

    private final Map<String, Memory> memories = new HashMap<>(); // by caller and connection

    private record Waiting(Wire.End from, Asked asked, long expiresAt, Memory memory) {}

    /** What is remembered of the calls of one connection. */
    private record Memory(Wire.End of, Remembered calls) {}

    SimulatedServer(World world, Network network, SimulatedBroker broker, String name) {
        super(world, name);
        line = new BrokerLine(network, this, broker, this::register, this::heard);
    }

    /** How often each call was begun here, in all lives. */
    Map<Long, Integer> executions() {
        return executions;
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
        incarnation =
                wallClock + world().nanos() / 1_000_000 << 16 | world().random().nextInt(1 << 16);
        line.open();
        renew();
    }

    private void register() {
        line.send(new Register(1, SERVICE, name(), incarnation, List.of(name()), "a.B", List.of("m()V"), 60_000));
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

            private final Memory memory = new Memory(end, new Remembered());
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
                memory.calls().shut();
                queue.removeIf(waiting -> waiting.from() == end);
            }
        };
    }

    private void recalled(Wire.End from, Recall said) {
        Memory memory = memories.get(from.peer().name() + '#' + said.connection().low());
        if (memory == null) {
            from.send(new Answered(said.id(), 0, ErrorCode.CONNECTION_LOST, Execution.MAYBE));
            return;
        }
        memory.calls().shut();
        queue.removeIf(waiting -> waiting.from() == memory.of());
        memory.of().close();
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
            return;
        }
        queue.add(new Waiting(from, asked, world().nanos() + asked.deadlineNanos(), memory));
        work();
    }

    private void work() {
        while (running < WORKERS && !queue.isEmpty()) {
            Waiting next = queue.remove();
            if (world().nanos() >= next.expiresAt()) {
                next.from().send(new Answered(next.asked().id(), 0, ErrorCode.DEADLINE, Execution.NOT));
            } else {
                execute(next);
            }
        }
    }

    private void execute(Waiting call) {
        if (!call.memory().calls().begins(call.asked().id())) {
            return; // its caller knows that it has not run
        }
        running++;
        executions.merge(call.asked().call(), 1, Integer::sum);
        boolean isLong = world().random().nextInt(50) == 0;
        after(world().upTo(isLong ? 1_500 : 20), () -> {
            running--;
            long result = Simulation.resultOf(call.asked().call());
            call.memory()
                    .calls()
                    .ended(call.asked().id(), Unpooled.buffer(Long.BYTES).writeLong(result), -1);
            call.from().send(new Answered(call.asked().id(), result, null, Execution.EXECUTED));
            work();
        });
    }
}
