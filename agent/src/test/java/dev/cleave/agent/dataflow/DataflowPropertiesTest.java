package dev.cleave.agent.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.SampleBodies;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The analyses against their definitions, by walking paths op by op. */
@Tag("one-jdk")
class DataflowPropertiesTest {

    private final List<MethodBody> bodies = SampleBodies.ofAtMost(Boolean.getBoolean("cleave.full") ? 120 : 70);

    @Test
    void registerIsLiveExactlyWhereAPathLeadsToAReader() {
        int checked = 0;
        for (MethodBody body : bodies) {
            ControlFlowGraph graph = ControlFlowGraph.of(body);
            Liveness liveness = Liveness.of(graph);
            for (BasicBlock block : graph.reversePostOrder()) {
                for (Register register : body.registers()) {
                    assertThat(liveness.liveIn(block).get(register.number()))
                            .as("%s live in %s of%n%s", register, block, graph.text())
                            .isEqualTo(isRead(graph, block.first(), register));
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(10_000);
    }

    private static boolean isRead(ControlFlowGraph graph, Op from, Register register) {
        Set<Op> seen = new HashSet<>(Set.of(from));
        Deque<Op> todo = new ArrayDeque<>(List.of(from));
        while (!todo.isEmpty()) {
            Op op = todo.remove();
            if (op.uses().contains(register)) {
                return true;
            }
            List<Op> next = new ArrayList<>(thrownTo(graph, op));
            if (op.def() != register) {
                next.addAll(normalNext(graph, op));
            }
            next.stream().filter(seen::add).forEach(todo::add);
        }
        return false;
    }

    private static List<Op> normalNext(ControlFlowGraph graph, Op op) {
        BasicBlock block = graph.blockOf(op);
        return op == block.last()
                ? block.successors().stream().map(BasicBlock::first).toList()
                : List.of(block.ops().get(block.ops().indexOf(op) + 1));
    }

    private static List<Op> thrownTo(ControlFlowGraph graph, Op op) {
        return op.mayThrow()
                ? graph.blockOf(op).handlers().stream().map(BasicBlock::first).toList()
                : List.of();
    }
}
