package dev.cleave.agent.plan.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.flow.SampleBodies;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The branches that decide and the definitions that reach, compared with a walk over all paths of real methods. */
@Tag("one-jdk")
class RegionTest {

    private final List<MethodBody> bodies = SampleBodies.ofAtMost(220);

    @Test
    void opDependsOnTheBranchesThatCanAvoidIt() {
        int checked = 0;
        for (MethodBody body : bodies) {
            OpGraph graph = new OpGraph(body);
            Region whole = whole(graph);
            if (!whole.allEnd()) {
                continue;
            }
            for (int op : whole.ordinary().stream().toArray()) {
                BitSet avoiding = avoiding(graph, whole.ordinary(), op);
                BitSet deciders = new BitSet();
                Arrays.stream(whole.deciders(op)).forEach(deciders::set);
                for (int branch : whole.ordinary().stream().toArray()) {
                    boolean decides = graph.next(branch).length > 1
                            && Arrays.stream(graph.next(branch)).anyMatch(to -> !avoiding.get(to))
                            && (branch == op || avoiding.get(branch));
                    assertThat(deciders.get(branch))
                            .as("%s decides about %s in%n%s", branch, op, body)
                            .isEqualTo(decides);
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(10_000);
    }

    @Test
    void definitionReachesExactlyWhereAPathKeepsIt() {
        int checked = 0;
        for (MethodBody body : bodies) {
            OpGraph graph = new OpGraph(body);
            Region whole = whole(graph);
            for (int reader = 0; reader < graph.size(); reader++) {
                for (Register use : graph.op(reader).uses()) {
                    BitSet reaching = whole.definitions(reader, use);
                    for (int definition = 0; definition < graph.size(); definition++) {
                        if (graph.op(definition).def() == use) {
                            assertThat(reaching.get(definition))
                                    .as("%s reaches %s in%n%s", definition, reader, body)
                                    .isEqualTo(isKept(graph, definition, reader, use));
                            checked++;
                        }
                    }
                }
            }
        }
        assertThat(checked).isGreaterThan(4_000);
    }

    private static Region whole(OpGraph graph) {
        BitSet all = new BitSet();
        all.set(0, graph.size());
        return new Region(graph, 0, all);
    }

    /** The ops from which an end of the method can be reached, when nothing is thrown, around one op. */
    private static BitSet avoiding(OpGraph graph, BitSet ordinary, int without) {
        BitSet found = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>();
        ordinary.stream().filter(op -> graph.next(op).length == 0).forEach(todo::add);
        while (!todo.isEmpty()) {
            int op = todo.remove();
            if (op != without && !found.get(op)) {
                found.set(op);
                Arrays.stream(graph.previous(op)).forEach(todo::add);
            }
        }
        return found;
    }

    private static boolean isKept(OpGraph graph, int definition, int reader, Register register) {
        BitSet seen = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>();
        Arrays.stream(graph.next(definition)).forEach(todo::add);
        while (!todo.isEmpty()) {
            int op = todo.remove();
            if (op == reader) {
                return true;
            }
            if (!seen.get(op)) {
                seen.set(op);
                Arrays.stream(graph.handlers(op)).forEach(todo::add);
                Register def = graph.op(op).def();
                if (def == null || !def.overlaps(register)) {
                    Arrays.stream(graph.next(op)).forEach(todo::add);
                }
            }
        }
        return false;
    }
}
