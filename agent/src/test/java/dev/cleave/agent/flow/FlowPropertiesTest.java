package dev.cleave.agent.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.ir.MethodBody;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The analyses against their definitions, by brute force over real methods. */
@Tag("one-jdk")
class FlowPropertiesTest {

    private final List<MethodBody> bodies = SampleBodies.ofAtMost(220);

    @Test
    void blockDominatesExactlyWhatCannotBeReachedAroundIt() {
        int checked = 0;
        for (MethodBody body : bodies) {
            ControlFlowGraph graph = ControlFlowGraph.of(body);
            Dominators dominators = Dominators.of(graph);
            Set<BasicBlock> reachable = reach(graph.entry(), Set.of(), BasicBlock::allSuccessors);
            for (BasicBlock above : reachable) {
                Set<BasicBlock> around = reach(graph.entry(), Set.of(above), BasicBlock::allSuccessors);
                for (BasicBlock below : reachable) {
                    assertThat(dominators.dominates(above, below))
                            .as(() -> above + " dominates " + below + " in\n" + graph.text())
                            .isEqualTo(!around.contains(below));
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(10_000);
    }

    @Test
    void loopsAreEnteredAtTheirHeaderAndGoBackToIt() {
        int loops = 0;
        for (MethodBody body : bodies) {
            ControlFlowGraph graph = ControlFlowGraph.of(body);
            Dominators dominators = Dominators.of(graph);
            LoopNest nest = LoopNest.of(graph, dominators);
            assertThat(nest.reducible()).isTrue();
            for (Loop loop : nest.loops()) {
                loops++;
                for (BasicBlock block : loop.blocks()) {
                    assertThat(dominators.dominates(loop.header(), block)).isTrue();
                    assertThat(reach(block, Set.of(), BasicBlock::allSuccessors))
                            .contains(loop.header());
                }
                assertThat(loop.latches()).allMatch(latch -> latch.successors().contains(loop.header()));
                for (Loop inner : loop.inner()) {
                    assertThat(loop.blocks()).containsAll(inner.blocks());
                    assertThat(inner.depth()).isEqualTo(loop.depth() + 1);
                }
            }
        }
        assertThat(loops).isGreaterThan(20);
    }

    @Test
    void everyNormalCycleOfAReducibleMethodIsALoop() {
        for (MethodBody body : bodies) {
            ControlFlowGraph graph = ControlFlowGraph.of(body);
            LoopNest nest = LoopNest.of(graph, Dominators.of(graph));
            for (BasicBlock block : reach(graph.entry(), Set.of(), BasicBlock::allSuccessors)) {
                Set<BasicBlock> after = new HashSet<>();
                block.successors().forEach(to -> after.addAll(reach(to, Set.of(), BasicBlock::successors)));
                if (after.contains(block)) {
                    assertThat(nest.innermost(block))
                            .as(() -> "loop of " + block + " in\n" + graph.text())
                            .isNotNull();
                }
            }
        }
    }

    private static Set<BasicBlock> reach(
            BasicBlock from, Collection<BasicBlock> without, Function<BasicBlock, List<BasicBlock>> next) {
        Set<BasicBlock> seen = new HashSet<>();
        Deque<BasicBlock> todo = new ArrayDeque<>();
        if (!without.contains(from)) {
            seen.add(from);
            todo.add(from);
        }
        while (!todo.isEmpty()) {
            for (BasicBlock to : next.apply(todo.remove())) {
                if (!without.contains(to) && seen.add(to)) {
                    todo.add(to);
                }
            }
        }
        return seen;
    }
}
