package dev.cleave.agent.plan.order;

import dev.cleave.agent.dataflow.CertainEnd;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * The steps of a nest of loops (R40): a step goes from the header of a loop that holds calls to the next such header.
 * The run-ahead sends step by step, and the program counts the same steps, so one queue serves all levels of the nest.
 */
public final class NestIterations {

    private final Method method;
    private final Region region;
    private final List<Integer> headers = new ArrayList<>();
    private final BitSet ends = new BitSet();

    private NestIterations(Method method, Region region) {
        this.method = method;
        this.region = region;
        add(region.entry());
    }

    /** The steps of a loop of which some calls are to be sent ahead; refuses loops that might keep the run-ahead. */
    public static NestIterations of(Method method, Region region, Loop loop, List<Integer> calls) throws Refused {
        NestIterations steps = new NestIterations(method, region);
        steps.addInner(loop, calls);
        steps.checkHandlers();
        return steps;
    }

    /** The headers, that of the whole loop first. */
    public List<Integer> headers() {
        return headers;
    }

    /** Returns the headers as a set. */
    public BitSet ends() {
        return ends;
    }

    private void add(int header) {
        headers.add(header);
        ends.set(header);
    }

    private void addInner(Loop loop, List<Integer> calls) throws Refused {
        for (Loop inner : loop.inner()) {
            BitSet ops = method.graph().opsOf(inner);
            if (calls.stream().anyMatch(ops::get)) {
                add(method.graph().body().indexOf(inner.header().first()));
            } else if (!CertainEnd.isOf(method.graph().body(), inner)) {
                throw method.refused(
                        Rule.R11, ops.nextSetBit(0), "the loop inside it may not end", "give that loop a counter");
            }
            addInner(inner, calls);
        }
    }

    /** Refuses handlers that lead the program to another step than the one to which the run-ahead goes. */
    private void checkHandlers() throws Refused {
        if (headers.size() == 1) {
            return;
        }
        BitSet ops = region.ops();
        for (int thrower = ops.nextSetBit(0); thrower >= 0; thrower = ops.nextSetBit(thrower + 1)) {
            for (int handler : method.graph().handlers(thrower)) {
                if (ops.get(handler) && !meet(thrower, handler)) {
                    throw method.refused(
                            Rule.R40, thrower, "an exception may lead from one of the nested loops to another");
                }
            }
        }
    }

    private boolean meet(int thrower, int handler) {
        if (region.ordinary().get(thrower)) {
            int size = method.graph().size();
            for (int place = region.postDominator(thrower);
                    place >= 0 && place < size;
                    place = region.postDominator(place)) {
                if (isCertain(handler, place)) {
                    return true;
                }
                if (ends.get(place)) {
                    return false;
                }
            }
        }
        BitSet next = next(handler);
        return next.cardinality() == 1 && next.equals(next(thrower));
    }

    /** Whether every way on from an op passes a place before the step ends. */
    public boolean isCertain(int from, int place) {
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == place || seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : method.graph().all(index)) {
                boolean isEnd = ends.get(successor) || !region.ops().get(successor);
                if (isEnd && successor != place) {
                    return false;
                }
                work.push(successor);
            }
        }
        return true;
    }

    /** The headers that come next behind an op, if nothing is thrown. */
    public BitSet next(int from) {
        BitSet found = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.pop();
            if (seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : method.graph().next(index)) {
                if (ends.get(successor)) {
                    found.set(successor);
                } else if (region.ops().get(successor)) {
                    work.push(successor);
                }
            }
        }
        return found;
    }
}
