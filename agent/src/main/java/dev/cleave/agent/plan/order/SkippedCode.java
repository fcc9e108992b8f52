package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.method.SendSlice;
import dev.cleave.agent.plan.verdict.Refused;
import dev.cleave.agent.rule.Rule;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Sees to it that no exception that the loop itself handles leads the program past what the run-ahead does, or through
 * what the run-ahead leaves out (R41).
 *
 * <p>The run-ahead knows nothing of exceptions of the program. In
 * {@code for (...) { try { n += parse(x); k = i; } catch (E e) {} svc.f(k); }} it would always set {@code k}, in
 * {@code for (...) { try { n += parse(x); continue; } catch (E e) {} k += i; svc.f(k); }} never.
 */
public final class SkippedCode {

    private final Method method;
    private final Region region;

    /** Looks at the handlers of a region. */
    public SkippedCode(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** Refuses a slice that reads what an exception keeps from being written. */
    public void check(SendSlice slice) throws Refused {
        BitSet ops = region.ops();
        for (int thrower = ops.nextSetBit(0); thrower >= 0; thrower = ops.nextSetBit(thrower + 1)) {
            for (int handler : method.graph().handlers(thrower)) {
                if (ops.get(handler)) {
                    check(slice, thrower, handler);
                }
            }
        }
    }

    /**
     * Refuses a slice that assumes a branch not to go to a place, which may be virtual, and reads what that way writes.
     */
    public void checkBranch(SendSlice slice, int branch, int place) throws Refused {
        if (place < method.graph().size()) {
            check(slice, branch, place);
        } else {
            check(slice, branch, branch, -1);
        }
    }

    private void check(SendSlice slice, int thrower, int handler) throws Refused {
        check(slice, thrower, handler, meeting(thrower, handler));
    }

    private void check(SendSlice slice, int thrower, int handler, int meeting) throws Refused {
        BitSet apart = reach(thrower, meeting);
        apart.or(reach(handler, meeting));
        apart.and(slice.executed());
        for (int i = apart.nextSetBit(0); i >= 0; i = apart.nextSetBit(i + 1)) {
            Register def = method.op(i).def();
            boolean writes = !method.effects().of(method.op(i)).writes().isEmpty();
            if (writes
                    || def != null
                            && (slice.copiedIn().contains(def) || isReadBeside(slice, i, def, thrower, handler))) {
                throw method.refused(
                        Rule.R41,
                        i,
                        "whether it runs depends on what the run-ahead cannot know, and so does a later call",
                        "move it out of the try, or out of the branch");
            }
        }
    }

    /**
     * Where the way without the exception and the ways through its handler meet for certain; -1 if in the next pass.
     */
    private int meeting(int thrower, int handler) {
        if (!region.ordinary().get(thrower)) {
            return -1;
        }
        int size = method.graph().size();
        for (int place = region.postDominator(thrower);
                place >= 0 && place < size;
                place = region.postDominator(place)) {
            if (isCertain(handler, place)) {
                return place;
            }
        }
        return -1;
    }

    /** Whether every way on from a handler that stays in the loop passes a place before the pass ends. */
    private boolean isCertain(int handler, int place) {
        BitSet between = reach(handler, place);
        for (int i = between.nextSetBit(0); i >= 0; i = between.nextSetBit(i + 1)) {
            for (int successor : method.graph().next(i)) {
                if (successor == region.entry() || !region.ops().get(successor)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the ops that may run from an op on, in the same pass, up to a place that is not among them. */
    private BitSet reach(int from, int end) {
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(from));
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == end || seen.get(index)) {
                continue;
            }
            seen.set(index);
            for (int successor : method.graph().next(index)) {
                if (region.ops().get(successor) && successor != region.entry()) {
                    work.push(successor);
                }
            }
        }
        return seen;
    }

    /** Whether the slice reads what an op writes where it may come without that op, with or without the exception. */
    private boolean isReadBeside(SendSlice slice, int index, Register def, int thrower, int handler) {
        BitSet readers = reach(thrower, index);
        readers.or(reach(handler, index));
        readers.and(region.after(index));
        for (int i = readers.nextSetBit(0); i >= 0; i = readers.nextSetBit(i + 1)) {
            boolean counts = slice.executed().get(i) || slice.sends().contains(i);
            if (counts && method.op(i).uses().contains(def)) {
                return true;
            }
        }
        // An inner loop may come to it again: a counter reads what it has not written.
        return region.after(index).get(index) && method.op(index).uses().contains(def);
    }
}
