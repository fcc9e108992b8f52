package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.BitSet;

/**
 * Sees to it that no exception that the loop itself handles makes the program skip what the run-ahead does (R41).
 *
 * <p>The run-ahead knows nothing of exceptions of the program. In
 * {@code for (...) { try { n += parse(x); k = i; } catch (E e) {} svc.f(k); }} it would always set {@code k}.
 */
final class SkippedCode {

    private final Method method;
    private final Region region;

    SkippedCode(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    void check(SendSlice slice) throws Refused {
        for (int thrower = region.ordinary().nextSetBit(0);
                thrower >= 0;
                thrower = region.ordinary().nextSetBit(thrower + 1)) {
            for (int handler : method.graph().handlers(thrower)) {
                if (region.ops().get(handler)) {
                    check(slice, thrower, handler);
                }
            }
        }
    }

    private void check(SendSlice slice, int thrower, int handler) throws Refused {
        BitSet skipped = region.after(thrower);
        BitSet resumed = region.after(handler);
        skipped.andNot(resumed);
        skipped.and(slice.executed());
        for (int i = skipped.nextSetBit(0); i >= 0; i = skipped.nextSetBit(i + 1)) {
            Register def = method.op(i).def();
            boolean writes = !method.effects().of(method.op(i)).writes().isEmpty();
            if (writes || def != null && (slice.copiedIn().contains(def) || isRead(slice, def, resumed))) {
                throw method.refused(
                        "R41",
                        i,
                        "an exception that the loop handles would skip it, and a later call depends on it",
                        "move it out of the try");
            }
        }
    }

    private boolean isRead(SendSlice slice, Register register, BitSet places) {
        for (int i = places.nextSetBit(0); i >= 0; i = places.nextSetBit(i + 1)) {
            boolean counts = slice.executed().get(i) || slice.sends().contains(i);
            if (counts && method.op(i).uses().contains(register)) {
                return true;
            }
        }
        return false;
    }
}
