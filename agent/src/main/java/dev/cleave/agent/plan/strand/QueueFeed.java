package dev.cleave.agent.plan.strand;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.slice.OwnCollections;
import dev.cleave.agent.plan.slice.QueueOps;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * A queue of the method's own through which calls of a nest decide about later calls of the same place, as in a search
 * by breadth: one strand takes elements from it and sends, another looks at the results and adds elements (R71). The
 * first knows an element before the results of the calls in between have come, as the element stays in the queue until
 * it is the first.
 */
final class QueueFeed {

    private final Method method;
    private final Region region;
    private final OwnCollections own;
    private final int queue;

    private QueueFeed(Method method, Region region, OwnCollections own, int queue) {
        this.method = method;
        this.region = region;
        this.own = own;
        this.queue = queue;
    }

    /** The queues of a nest that one strand may read while another adds to them. */
    static List<QueueFeed> all(Method method, Region region, OwnCollections own) {
        Set<Integer> made = new LinkedHashSet<>();
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (own.receiverOf(i) >= 0) {
                made.add(own.receiverOf(i));
            }
        }
        return made.stream()
                .filter(queue -> own.typeOf(queue).equals("java/util/ArrayDeque")
                        || own.typeOf(queue).equals("java/util/LinkedList"))
                .map(queue -> new QueueFeed(method, region, own, queue))
                .filter(QueueFeed::isInOrder)
                .toList();
    }

    /** The op that makes the queue. */
    int queue() {
        return queue;
    }

    /** The ops that add to the queue. */
    List<Integer> added() {
        return own.uses(queue).stream()
                .filter(use -> QueueOps.isAdded(method.op(use)))
                .toList();
    }

    /**
     * Whether elements are added at the end only, and in each pass either before all of them are taken, or behind that:
     * so it is the number of the pass that decides what is in the queue at a place.
     */
    private boolean isInOrder() {
        boolean atEnd = own.uses(queue).stream()
                .filter(use -> own.writes(use, queue))
                .allMatch(use -> QueueOps.isAdded(method.op(use)) || QueueOps.isRead(method.op(use)));
        return atEnd && !added().isEmpty() && (!isFollowed(added(), taken()) || !isFollowed(taken(), added()));
    }

    /** Whether the queue is read behind the additions of a pass. */
    boolean isReadBehind() {
        return isFollowed(added(), taken());
    }

    private List<Integer> taken() {
        return own.uses(queue).stream()
                .filter(use -> QueueOps.isRead(method.op(use)))
                .toList();
    }

    private boolean isFollowed(List<Integer> ops, List<Integer> by) {
        return ops.stream().anyMatch(op -> by.stream().anyMatch(region.after(op)::get));
    }

    /** Whether a slice without the additions can be told all that it asks the queue. */
    boolean serves(SendSlice slice) {
        for (int i = slice.executed().nextSetBit(0);
                i >= 0;
                i = slice.executed().nextSetBit(i + 1)) {
            boolean comparesObjects = method.op(i) instanceof BranchOp branch
                    && (branch.opcode() == Opcodes.IF_ACMPEQ || branch.opcode() == Opcodes.IF_ACMPNE);
            if (comparesObjects || own.receiverOf(i) == queue && !QueueOps.isRead(method.op(i))) {
                return false;
            }
        }
        return true;
    }

    /** The ops of a slice in front of which the strand has to know what was added. */
    BitSet asks(SendSlice slice) {
        BitSet asks = new BitSet();
        for (int i = slice.executed().nextSetBit(0);
                i >= 0;
                i = slice.executed().nextSetBit(i + 1)) {
            if (own.receiverOf(i) == queue) {
                asks.set(i);
            }
        }
        return asks;
    }
}
