package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.OwnIterator;
import dev.cleave.agent.plan.slice.Slicer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the element that the program's iterator has given last (R33): {@code entry.setValue(..)}, {@code iterator.set(..)} and {@code
 * iterator.remove()}. A copy with an iterator of its own that has passed the element sees none of them.
 */
final class PassedElements {

    private static final Set<String> PARTS = Set.of("getKey", "getValue");

    private final Method method;
    private final Region region;
    private final List<OwnIterator> iterators;

    PassedElements(Method method, Region region, List<OwnIterator> iterators) {
        this.method = method;
        this.region = region;
        this.iterators = iterators;
    }

    /**
     * Whether an op changes nothing but an element which a reader of the copy has certainly passed, or takes from another pass.
     *
     * @param mayReadLater whether the copy may come to a pass later than the program
     */
    boolean isBehind(int writer, int reader, boolean mayReadLater) {
        OwnIterator own = changed(writer);
        if (own == null || region.ops().get(own.made()) || own.arrives()) {
            return false;
        }
        if (Slicer.isIteration(method.op(reader))) {
            boolean isCopied = own.isOfCopy() || !mayReadLater || isCall(writer, "java/util/Map$Entry", "setValue");
            return isCopied && iteratorOf(reader, reader) == own.iterator();
        }
        return !mayReadLater
                && PARTS.stream().anyMatch(part -> isCall(reader, "java/util/Map$Entry", part))
                && givenBy(reader) == own
                && !region.after(writer).get(reader);
    }

    /** Whether an op changes a collection by way of an iterator over it. */
    static boolean isByIterator(Op op) {
        return Slicer.isRemoval(op) || isCall(op, "java/util/ListIterator", "set");
    }

    /** The copy's iterator over the collection whose element an op changes, null if it changes something else. */
    private @Nullable OwnIterator changed(int writer) {
        if (isCall(writer, "java/util/Map$Entry", "setValue")) {
            return givenBy(writer);
        }
        return isByIterator(method.op(writer)) ? own(iteratorOf(writer, writer)) : null;
    }

    /** The iterator that has given the entry which is the receiver of an op. */
    private @Nullable OwnIterator givenBy(int index) {
        int next = region.origin(index, method.op(index).uses().get(0));
        return next >= 0 && region.ops().get(next) && Slicer.isIteration(method.op(next))
                ? own(iteratorOf(next, next))
                : null;
    }

    private Register iteratorOf(int index, int call) {
        return region.root(index, method.op(call).uses().get(0));
    }

    private @Nullable OwnIterator own(Register iterator) {
        return iterators.stream()
                .filter(each -> each.iterator() == iterator)
                .findAny()
                .orElse(null);
    }

    private boolean isCall(int index, String owner, String name) {
        return isCall(method.op(index), owner, name);
    }

    private static boolean isCall(Op op, String owner, String name) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals(owner)
                && insn.method().name.equals(name);
    }
}
