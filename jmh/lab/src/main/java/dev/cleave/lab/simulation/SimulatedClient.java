package dev.cleave.lab.simulation;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Pings;
import dev.cleave.lab.history.Outcome;
import dev.cleave.lab.history.Outcome.End;
import dev.cleave.lab.history.Planted;
import dev.cleave.lab.simulation.Messages.Answered;
import dev.cleave.replica.BalancePolicies;
import dev.cleave.replica.Balancer;
import dev.cleave.replica.FailureClass;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.replica.RetryBudget;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Watch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A client: real decisions on where calls go, and where they go next, over simulated links. */
final class SimulatedClient extends Actor {

    static final long DEADLINE_NANOS = 10_000_000_000L;

    private static final Runnable NOTHING = () -> {};

    private final Network network;
    private final Rules rules;
    private final Map<String, SimulatedServer> servers;
    private final BrokerLine line;
    private final Map<String, SimulatedLink> links = new TreeMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<SimulatedCall> calls = new ArrayList<>();
    private final Map<Long, Runnable> followers = new HashMap<>(); // what is done when a call has ended
    private final Balancer balancer;
    private final RetryBudget budget;
    private long dialled;
    private ReplicaSet set = ReplicaSet.unknown(SimulatedServer.SERVICE);
    private ReplicaSet lastGood = set; // the set to go by when the broker has lost all
    private final List<SimulatedCall> homeless = new ArrayList<>(); // calls for which no replica was known

    SimulatedClient(
            World world,
            Network network,
            SimulatedBroker broker,
            Rules rules,
            Map<String, SimulatedServer> servers,
            String name) {
        super(world, name);
        this.rules = rules;
        this.network = network;
        this.servers = servers;
        line = new BrokerLine(
                network, this, broker, () -> line().send(new Watch(1, SimulatedServer.SERVICE)), this::heard);
        balancer = new Balancer(BalancePolicies.roundRobin(world.random().nextInt()), world::nanos);
        budget = new RetryBudget(world::nanos, world.random());
    }

    private BrokerLine line() {
        return line;
    }

    List<Outcome> outcomes() {
        return outcomes;
    }

    /** All calls that were made. */
    List<SimulatedCall> calls() {
        return calls;
    }

    /** The calls that failed because no replica was known. */
    List<SimulatedCall> homeless() {
        return homeless;
    }

    @Override
    void begin() {
        line.open();
        tick();
    }

    @Override
    Wire.Handler accept(Wire.End end) {
        throw new AssertionError("no process dials a client");
    }

    /** Makes a call. */
    void call(long number, boolean idempotent) {
        call(number, idempotent, NOTHING);
    }

    /** Makes a call, and does something when it has ended. */
    void call(long number, boolean idempotent, Runnable then) {
        SimulatedCall call = new SimulatedCall(number, idempotent, world().nanos(), DEADLINE_NANOS);
        calls.add(call);
        if (then != NOTHING) {
            followers.put(number, then);
        }
        after(DEADLINE_NANOS, () -> {
            boolean isOver = call.hasEnded() || rules.has(Planted.NO_DEADLINE);
            if (!isOver || rules.has(Planted.ENDS_TWICE, number, 50)) {
                boolean unused = call.leaves();
                end(call, End.IN_DOUBT, 0, "deadline");
            }
        });
        List<Replicas.Replica> live = trusted(set.live());
        if (live.isEmpty() && !rules.has(Planted.BELIEVES_EMPTY)) {
            live = trusted(lastGood.live());
        }
        if (live.isEmpty()) {
            homeless.add(call);
            end(call, End.NOT_EXECUTED, 0, "no live replica");
        } else {
            go(call, live, FailureClass.UNSENT);
        }
    }

    private void heard(Object message) {
        if (message instanceof ReplicaSet told && told.isKnown()) {
            set = told;
            lastGood = told.orLastGood(lastGood);
            balancer.keep(told.replicas().stream().map(Replicas.Replica::name).toList());
        }
    }

    private List<Replicas.Replica> trusted(List<Replicas.Replica> replicas) {
        List<Replicas.Replica> heard = replicas.stream()
                .filter(replica -> {
                    SimulatedLink link = links.get(replica.name());
                    return link == null || link.isClosed() || !link.isSuspect();
                })
                .toList();
        return heard.isEmpty() ? replicas : heard;
    }

    /** Sends a call to one of some replicas: the first, in the order of the policy, that can be reached. */
    private void go(SimulatedCall call, List<Replicas.Replica> candidates, FailureClass since) {
        if (call.hasEnded()) {
            return;
        }
        if (candidates.isEmpty()) {
            giveUp(call, since);
            return;
        }
        Replicas.Replica replica = balancer.placeAnyway(candidates, null).replica();
        SimulatedLink known = links.get(replica.name());
        if (known != null && !known.isClosed()) {
            send(call, replica.name(), known);
            return;
        }
        List<Replicas.Replica> others = new ArrayList<>(candidates);
        others.remove(replica);
        dial(replica.name(), call, () -> go(call, others, since));
    }

    /** It is not sent again: where it was sent last they may know what has become of it. */
    private void giveUp(SimulatedCall call, FailureClass since) {
        boolean maybe = since == FailureClass.LOST;
        SimulatedLink broken = maybe ? call.broken() : null;
        if (broken == null || !isRecalled(call, broken)) {
            end(call, maybe ? Execution.MAYBE : Execution.NOT, "no replica can be reached");
        }
    }

    private void dial(String replica, SimulatedCall call, Runnable failed) {
        connect(replica, link -> send(call, replica, link), failed);
    }

    private void connect(String replica, Consumer<SimulatedLink> then, Runnable failed) {
        SimulatedLink[] made = new SimulatedLink[1];
        Wire.Handler handler = new Wire.Handler() {

            @Override
            public void onMessage(Object message) {
                made[0].heard();
                if (message instanceof Answered answer) {
                    answered(made[0], answer);
                }
            }

            @Override
            public void onClose() {
                lost(made[0], "connection lost", true);
            }
        };
        Wire.dial(
                network,
                this,
                requireNonNull(servers.get(replica)),
                (end, why) -> {
                    if (end == null) {
                        failed.run();
                        return;
                    }
                    SimulatedLink before = links.get(replica);
                    if (before != null && !before.isClosed()) {
                        end.close(); // another call was quicker
                        then.accept(before);
                        return;
                    }
                    made[0] = new SimulatedLink(end, rules, ++dialled);
                    links.put(replica, made[0]);
                    then.accept(made[0]);
                },
                handler);
    }

    /** All connections to replicas are reset; the processes at both ends live. */
    void cutLinks() {
        world().tell("the connections of %s are cut", name());
        for (SimulatedLink link : List.copyOf(links.values())) {
            if (!link.isClosed()) {
                lost(link, "cut", true);
            }
        }
    }

    /** Asks a replica what has become of a call. */
    private boolean isRecalled(SimulatedCall call, SimulatedLink from) {
        boolean isVain = call.hasEnded() || rules.has(Planted.NEVER_RECALLS);
        SimulatedCall.Origin origin = isVain ? null : call.recalled(from);
        if (origin == null) {
            return false;
        }
        String replica = call.replica();
        SimulatedLink known = links.get(replica);
        if (known != null && !known.isClosed()) {
            ask(call, origin, known);
        } else {
            connect(replica, link -> ask(call, origin, link), () -> end(call, End.IN_DOUBT, 0, "cut, and gone"));
        }
        return true;
    }

    private void ask(SimulatedCall call, SimulatedCall.Origin origin, SimulatedLink link) {
        if (!call.hasEnded()) {
            world().tell("%s: what has become of call %d at %s?", name(), call.number(), call.replica());
            link.recall(call, origin);
        }
    }

    private void send(SimulatedCall call, String replica, SimulatedLink link) {
        if (!call.hasEnded()) {
            world().tell("%s: call %d goes to %s", name(), call.number(), replica);
            call.goesTo(replica);
            call.sent();
            long left = call.expiresAt() - world().nanos();
            boolean isAnew = call.replicas().size() > 1 && rules.has(Planted.DEADLINE_ANEW);
            link.send(call, isAnew ? DEADLINE_NANOS : left, left);
        }
    }

    private void answered(SimulatedLink link, Answered answer) {
        SimulatedCall call = link.take(answer.id());
        if (call == null) {
            return; // it went elsewhere, or was given up
        }
        if (answer.code() == null) {
            end(call, End.OK, answer.result(), "answered by " + call.replica());
            return;
        }
        FailureClass failure = FailureClass.of(answer.code(), answer.execution());
        if (failure == FailureClass.FINAL || !again(call, failure)) {
            end(call, answer.execution(), answer.code().name());
        }
    }

    /** Sends a call again, if that may be. */
    private boolean again(SimulatedCall call, FailureClass failure) {
        call.failed(failure);
        boolean isLast = failure == FailureClass.LOST && rules.areAllMade(call.history());
        if (call.hasEnded() || isLast || !rules.mayGoOn(failure, call.isIdempotent())) {
            return false;
        }
        if (failure == FailureClass.LOST) {
            call.isInDoubt();
        }
        after(budget.take(call.history().made()), () -> {
            long left = call.expiresAt() - world().nanos();
            go(call, trusted(rules.next(call.history(), failure, call.isIdempotent(), left, set)), failure);
        });
        return true;
    }

    private void lost(SimulatedLink link, String why, boolean mayLive) {
        for (SimulatedCall call : link.close()) {
            if (!again(call, FailureClass.LOST) && !(mayLive && isRecalled(call, link))) {
                end(call, rules.has(Planted.LOST_IS_NOT) ? Execution.NOT : Execution.MAYBE, why);
            }
        }
    }

    private void tick() {
        after(Pings.DEFAULT.halved().every().toNanos(), () -> {
            for (SimulatedLink link : List.copyOf(links.values())) {
                if (!link.isClosed()) {
                    count(link);
                }
            }
            tick();
        });
    }

    private void count(SimulatedLink link) {
        if (link.isDownAfterInterval()) {
            lost(link, "no sign of life", false);
        } else if (link.isSuspect()) {
            for (SimulatedCall call : link.calls()) {
                boolean other =
                        trusted(set.live()).stream().anyMatch(r -> !r.name().equals(call.replica()));
                boolean may = rules.mayGoOn(FailureClass.LOST, call.isIdempotent());
                if (may && other && call.leaves() && !again(call, FailureClass.LOST)) {
                    end(call, End.IN_DOUBT, 0, "suspect");
                }
            }
        }
    }

    private static End end(Execution execution) {
        return switch (execution) {
            case NOT -> End.NOT_EXECUTED;
            case MAYBE -> End.IN_DOUBT;
            case EXECUTED -> End.EXECUTED;
        };
    }

    /** Ends a call that has failed; what has not been executed the last time may have been before. */
    private void end(SimulatedCall call, Execution execution, String why) {
        boolean maybe = execution == Execution.NOT && call.isDoubtful() && !rules.has(Planted.FORGETS_DOUBT);
        end(call, end(maybe ? Execution.MAYBE : execution), 0, why);
    }

    private void end(SimulatedCall call, End how, long result, String why) {
        if (call.end() || rules.has(Planted.ENDS_TWICE)) {
            world().tell("%s: call %d ends %s (%s)", name(), call.number(), how, why);
            outcomes.add(
                    new Outcome(call.number(), call.isIdempotent(), how, result, call.beganNanos(), world().nanos()));
            Runnable then = followers.remove(call.number());
            if (then != null) {
                then.run();
            }
        }
    }
}
