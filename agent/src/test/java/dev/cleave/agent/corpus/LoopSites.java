package dev.cleave.agent.corpus;

import dev.cleave.agent.dataflow.ReachingDefinitions;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlDependence;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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

    private final ControlFlowGraph graph;
    private final LoopNest nest;
    private final Predicate<Op> isRemote;
    private final Map<Loop, ReachingDefinitions> reachings = new IdentityHashMap<>();
    private final Map<Loop, ControlDependence> controls = new IdentityHashMap<>();

    private LoopSites(MethodBody body, Predicate<Op> isRemote) {
        this.graph = ControlFlowGraph.of(body);
        this.nest = LoopNest.of(graph, Dominators.of(graph));
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
        Loop loop = nest.innermost(graph.blockOf(call));
        if (loop == null) {
            return Standing.OUTSIDE;
        }
        return dependsOnResult(call, loop) ? Standing.DEPENDENT : Standing.INDEPENDENT;
    }

    /** Walks back over definitions and deciding branches within the loop. */
    private boolean dependsOnResult(Op call, Loop loop) {
        ReachingDefinitions reaching = reachings.computeIfAbsent(
                loop, each -> ReachingDefinitions.ofRegion(graph, each.blocks(), each.header()));
        ControlDependence control = controls.computeIfAbsent(loop, ControlDependence::ofIteration);
        Set<Op> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<BasicBlock> decided = new HashSet<>();
        Deque<Op> work = new ArrayDeque<>();
        Set<BasicBlock> deciders = new HashSet<>(control.latchDeciders());
        loop.exits().forEach(exit -> deciders.addAll(control.exitDeciders(exit.to())));
        deciders.forEach(block -> add(block.last(), seen, work));
        add(call, seen, work);
        while (!work.isEmpty()) {
            Op op = work.pop();
            BasicBlock block = graph.blockOf(op);
            if (decided.add(block)) {
                control.deciders(block).forEach(decider -> add(decider.last(), seen, work));
            }
            for (Register use : op.uses()) {
                for (Op definition : reaching.reaching(op, use)) {
                    if (isRemote.test(definition)) {
                        return true;
                    }
                    add(definition, seen, work);
                }
            }
        }
        return false;
    }

    private static void add(Op op, Set<Op> seen, Deque<Op> work) {
        if (seen.add(op)) {
            work.push(op);
        }
    }
}
