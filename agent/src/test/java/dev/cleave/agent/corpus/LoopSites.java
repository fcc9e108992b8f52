package dev.cleave.agent.corpus;

import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.OpGraph;
import dev.cleave.agent.plan.analysis.Region;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Which remote calls of a method stand in loops, and which of those could overlap if only locals counted. */
final class LoopSites {

    /** Where a call stands. */
    enum Standing {
        /** In no loop. */
        OUTSIDE,
        /** In a loop, and its arguments, or whether the loop goes on, depend on the result of a call in it. */
        DEPENDENT,
        /** In a loop, and by definitions and uses of locals nothing about it depends on a result. */
        INDEPENDENT
    }

    private final OpGraph graph;
    private final ControlFlowGraph blocks;
    private final LoopNest nest;
    private final Predicate<Op> isRemote;
    private final Map<Loop, Region> regions = new IdentityHashMap<>();

    private LoopSites(MethodBody body, Predicate<Op> isRemote) {
        this.graph = new OpGraph(body);
        this.blocks = ControlFlowGraph.of(body);
        this.nest = LoopNest.of(blocks, Dominators.of(blocks));
        this.isRemote = isRemote;
    }

    /** The standing of each remote call, in the order of the ops. */
    static List<Standing> of(MethodBody body, Predicate<Op> isRemote) {
        LoopSites sites = new LoopSites(body, isRemote);
        List<Standing> standings = new ArrayList<>();
        for (Op op : body.ops()) {
            if (isRemote.test(op)) {
                standings.add(sites.standing(op));
            }
        }
        return standings;
    }

    private Standing standing(Op call) {
        Loop loop = nest.innermost(blocks.blockOf(call));
        if (loop == null) {
            return Standing.OUTSIDE;
        }
        return dependsOnResult(call, loop) ? Standing.DEPENDENT : Standing.INDEPENDENT;
    }

    /** Walks back over definitions and deciding branches within the loop. */
    private boolean dependsOnResult(Op call, Loop loop) {
        Region region = regions.computeIfAbsent(loop, this::regionOf);
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(graph.body().indexOf(call)));
        IntStream.of(region.deciders(region.again())).forEach(work::push);
        IntStream.of(region.deciders(region.out())).forEach(work::push);
        while (!work.isEmpty()) {
            int op = work.pop();
            if (seen.get(op)) {
                continue;
            }
            seen.set(op);
            IntStream.of(region.deciders(op)).forEach(work::push);
            for (Register use : graph.op(op).uses()) {
                for (int definition : region.definitions(op, use).stream().toArray()) {
                    if (definition < graph.size()) {
                        if (isRemote.test(graph.op(definition))) {
                            return true;
                        }
                        work.push(definition);
                    }
                }
            }
        }
        return false;
    }

    private Region regionOf(Loop loop) {
        return new Region(graph, graph.body().indexOf(loop.header().first()), graph.opsOf(loop));
    }
}
